internal import CLibAV

/// The order of the fields of a frame.
package enum FieldOrder: Sendable { case progressive, topFirst, bottomFirst }

extension Frame {
  package var fieldOrder: FieldOrder {
    switch unsafe rw_frame_fields(pointer) {
    case 1: .topFirst
    case 2: .bottomFirst
    default: .progressive
    }
  }
}
