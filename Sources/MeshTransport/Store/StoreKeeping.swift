import MeshCore
import NIOCore

/// What a node has yet to tell the log of its store.
struct StoreKeeping {
    let log: StoreLog
    /// What has changed and is not on its way to the log.
    private(set) var pending: [StoreRecord] = []
    private var pendingByteCount = 0
    /// Whether the log is to be written anew as a whole, which makes `pending` superfluous.
    var needsRewrite = false
    var timer: Scheduled<Void>?
    var writing: Task<Void, Never>?

    /// How long changes are gathered.
    static let interval = TimeAmount.seconds(1)
    /// How long after a failure it is tried again.
    static let retryInterval = TimeAmount.seconds(60)
    /// Units: bytes that wait for the disk; beyond, the log is written anew when the disk is ready.
    static let pendingLimit = 4 << 20
    /// Units: bytes that a log may have besides twice what it comes to.
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

    /// Takes what waits, to be written.
    mutating func takePending() -> [StoreRecord] {
        defer {
            pending = []
            pendingByteCount = 0
        }
        return pending
    }

    /// Has the log written anew next time.
    mutating func requestRewrite() {
        needsRewrite = true
        _ = takePending()
    }

    private static func cost(of record: StoreRecord) -> Int {
        guard case .held(let envelope, _, _) = record else { return 32 }
        return 32 + envelope.body.count
    }
}
