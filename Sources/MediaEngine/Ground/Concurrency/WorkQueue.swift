import Dispatch

/// An actor whose work runs on a serial queue of its own, where it may block.
///
/// A conforming actor only declares its ``queue``.
package protocol QueueActor: Actor {
  nonisolated var queue: WorkQueue { get }
}

extension QueueActor {
  // Public because it is a requirement of `Actor`, and some of these actors are public.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }
}

/// The serial executor of a ``QueueActor``: blocking calls of FFmpeg never run on the cooperative pool.
///
/// Jobs run one after the other, in arrival order.
package final class WorkQueue: SerialExecutor {
  private static let current = DispatchSpecificKey<ObjectIdentifier>()
  private let queue: DispatchQueue

  package init(_ label: String) {
    queue = DispatchQueue(label: "reelwire.\(label)")
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { unsafe unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// True on its queue. An actor whose isolation is assumed (`assumeIsolated`) elsewhere ends the process.
  package func isIsolatingCurrentContext() -> Bool? {
    DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
  }
}
