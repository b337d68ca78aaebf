import MeshCore
import NIOCore

/// The changes that a node still has to write to the log of its store.
struct StorePersistence {
    let log: StoreLog
    /// The changes that are not on their way to the log.
    private(set) var pending: [StoreRecord] = []
    private var pendingByteCount = 0
    /// Whether the whole log will be rewritten, which makes `pending` superfluous.
    var needsRewrite = false
    var timer: Scheduled<Void>?
    var writing: Task<Void, Never>?

    /// The time for which changes are collected.
    static let interval = TimeAmount.seconds(1)
    /// The time from a failure to the next attempt.
    static let retryInterval = TimeAmount.seconds(60)
    /// Units: bytes that wait for the disk; beyond this, the log is rewritten when the disk is ready.
    static let pendingLimit = 4 << 20
    /// Units: bytes that a log may have besides twice its contents.
    static let slack = 1 << 20

    init(log: StoreLog) {
        self.log = log
    }

    var hasWork: Bool { needsRewrite || !pending.isEmpty }

    mutating func add(_ changes: [StoreRecord]) {
        guard !needsRewrite else { return }
        pending += changes
        pendingByteCount += changes.reduce(0) { $0 + Self.cost(of: $1) }
        if pendingByteCount > Self.pendingLimit { requestRewrite() }
    }

    /// Takes the waiting changes, to be written.
    mutating func takePending() -> [StoreRecord] {
        defer {
            pending = []
            pendingByteCount = 0
        }
        return pending
    }

    /// Requests that the next write rewrites the log.
    mutating func requestRewrite() {
        needsRewrite = true
        _ = takePending()
    }

    private static func cost(of record: StoreRecord) -> Int {
        guard case .held(let envelope, _, _, _, _) = record else { return 32 }
        return 32 + envelope.body.count
    }
}
