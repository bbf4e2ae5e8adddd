/// A value that is given from one thread to another: a frame or a packet on its way through an export, a
/// stage that goes over to its thread.
///
/// `@unchecked Sendable`: one holder at a time uses the value. Who gives it away, under a lock or with a job
/// of a queue, doesn't touch it again; who gets it may reuse it and give it back in the same way.
final class Handoff<Value: ~Copyable>: @unchecked Sendable {
  var value: Value

  init(_ value: consuming Value) { self.value = value }
}
