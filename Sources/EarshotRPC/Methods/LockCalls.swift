import Earshot

/// Closes the node's home until it is unlocked.
package struct LockCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "lock"
    /// It takes none.
    package static let parameters: [String] = []
    /// A node that is locked stays so.
    package static let needsKeys = false

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        try await RPCError.translating { () throws(ChatError) in try await node.lock() }
        return EmptyReply()
    }
}

/// Opens the home of a locked node.
package struct UnlockCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "unlock"
    /// The names of its parameters.
    package static let parameters = ["passphrase"]
    /// It is what a locked node waits for.
    package static let needsKeys = false

    private let passphrase: String

    /// Makes the call.
    package init(passphrase: String) {
        self.passphrase = passphrase
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        try await RPCError.translating { () throws(ChatError) in try await node.unlock(passphrase: passphrase) }
        return EmptyReply()
    }
}
