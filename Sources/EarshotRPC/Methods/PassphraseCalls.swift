package import Earshot

/// How a home is protected, after a change.
package struct PassphraseReply: Codable, Hashable, Sendable {
    /// Whether it has a passphrase.
    package let passphrase: Bool

    /// Makes it.
    package init(_ change: PassphraseChange) {
        passphrase = change.new != nil
    }
}

/// A method that changes what protects a home.
package protocol PassphraseCall: RPCMethod where Reply == PassphraseReply {
    /// What is to be done.
    var change: PassphraseChange { get }
}

extension PassphraseCall {
    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> PassphraseReply {
        try await RPCError.translating { () throws(ChatError) in try await node.changePassphrase(change) }
        return PassphraseReply(change)
    }
}

/// Puts a home without passphrase under one.
package struct SetPassphraseCall: PassphraseCall {
    /// The method's name on the wire.
    package static let name = "passphrase.set"
    /// The names of its parameters.
    package static let parameters = ["new"]

    private let new: String

    /// Makes the call.
    package init(new: String) {
        self.new = new
    }

    /// What is to be done.
    package var change: PassphraseChange { .set(new: new) }
}

/// Puts another passphrase in the place of the home's.
package struct ChangePassphraseCall: PassphraseCall {
    /// The method's name on the wire.
    package static let name = "passphrase.change"
    /// The names of its parameters.
    package static let parameters = ["current", "new"]

    private let current: String
    private let new: String

    /// Makes the call.
    package init(current: String, new: String) {
        self.current = current
        self.new = new
    }

    /// What is to be done.
    package var change: PassphraseChange { .change(current: current, new: new) }
}

/// Leaves the home without passphrase.
package struct RemovePassphraseCall: PassphraseCall {
    /// The method's name on the wire.
    package static let name = "passphrase.remove"
    /// The names of its parameters.
    package static let parameters = ["current"]

    private let current: String

    /// Makes the call.
    package init(current: String) {
        self.current = current
    }

    /// What is to be done.
    package var change: PassphraseChange { .remove(current: current) }
}
