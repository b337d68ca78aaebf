import ChatCrypto

/// A request of a member for operations that it may lack.
package struct OperationRequest: Hashable, Sendable {
    /// The first epoch of the operations.
    let from: UInt32
    /// The first bytes of the hash of the operation before them, so that two histories show; empty if it is not stated.
    let history: [UInt8]
    /// Whether the member cannot follow the operations and needs its secrets from the owner.
    let wantsPath: Bool

    /// The length of a stated history.
    ///
    /// Units: bytes.
    package static let historyByteCount = 8

    init(from: UInt32, history: [UInt8] = [], wantsPath: Bool = false) {
        self.from = from
        self.history = history
        self.wantsPath = wantsPath
    }

    /// Requests what follows the last operation of a log.
    init(after log: MembershipLog, wantsPath: Bool = false) {
        from = log.epoch + 1
        history = Array(log.hash.prefix(Self.historyByteCount))
        self.wantsPath = wantsPath
    }
}
