import GatewayCore
import Synchronization

/// The count of bytes that wait until a hub reads them.
final class HubBacklog: Sendable {
    private let byteCount = Mutex(0)

    /// Adds bytes; returns false, and adds none, if too many would wait.
    func add(_ count: Int) -> Bool {
        byteCount.withLock { waiting in
            guard count <= HubLimits.backlogByteCount - waiting else { return false }
            waiting += count
            return true
        }
    }

    /// Removes bytes that have been written, or never will be.
    func remove(_ count: Int) { byteCount.withLock { $0 -= count } }
}
