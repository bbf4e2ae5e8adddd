internal import CLibAV

/// Returns the text at `pointer`, invalid UTF-8 repaired to U+FFFD; nil for a null pointer.
func string(_ pointer: UnsafePointer<CChar>?) -> String? {
  unsafe pointer.map { unsafe String(cString: $0) }
}

/// Returns libav's timestamp, nil for `AV_NOPTS_VALUE`.
func timestamp(_ value: Int64) -> Int64? { value == rw_no_timestamp ? nil : value }
