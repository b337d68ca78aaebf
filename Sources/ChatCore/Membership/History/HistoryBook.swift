package import ChatCrypto
package import MeshCore

/// All that the engine holds of histories for newcomers.
package struct HistoryBook: Sendable {
    /// By group: what this node asks for.
    package var pulls: [GroupID: HistoryPull] = [:]
    package var answers = HistoryAnswers()
    /// Records that were not taken since the node was made: malformed, forged in this node's name, about nobody.
    package var refusedCount: UInt64 = 0

    /// When `tick` has something to do.
    package var nextDeadline: MeshInstant {
        min(answers.nextDeadline, pulls.values.map(\.askAt).min() ?? .distantFuture)
    }
}
