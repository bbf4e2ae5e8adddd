/// A value that is passed from one thread to another: a frame or a packet on its way through an
/// export, or a stage that moves to its thread.
///
/// `@unchecked Sendable`: one holder at a time uses the value. The sender passes it under a lock or
/// with a job of a queue, and doesn't touch it again. The receiver may reuse it and return it in
/// the same way.
final class Handoff<Value: ~Copyable>: @unchecked Sendable {
  var value: Value

  init(_ value: consuming Value) { self.value = value }
}
