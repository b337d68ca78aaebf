import Dispatch

/// A thread of its own for calls that may wait for a hub, so that they keep no other task waiting.
final class HubExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "earshot.hub")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
