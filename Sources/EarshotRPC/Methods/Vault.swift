package import Earshot

/// The protection of a data directory after a change.
package struct PassphraseReply: Codable, Hashable, Sendable {
    /// Whether the data directory has a passphrase.
    package let passphrase: Bool

    package init(_ change: KeyProtectionChange) {
        if case .keyFile = change.new { passphrase = false } else { passphrase = true }
    }
}

/// The protections of a home's key before and after a change.
package typealias KeyProtectionChange = (old: Home.Key, new: Home.Key)

/// A method that changes the passphrase of a data directory.
package protocol PassphraseCall: RPCMethod where Reply == PassphraseReply {
    /// The change of the passphrase.
    var change: KeyProtectionChange { get }
}

extension PassphraseCall {
    package func perform(on node: ChatNode) async throws -> PassphraseReply {
        try await node.changeKey(from: change.old, to: change.new)
        return PassphraseReply(change)
    }
}

package struct SetPassphraseCall: PassphraseCall {
    package static let name = "passphrase.set"
    package static let summary = "Sets the passphrase of a data directory without one."
    package static let parameters: RPCParameters = ["new": "The passphrase."]
    package static let example = SetPassphraseCall(new: "right horse")

    let new: String

    package init(new: String) { self.new = new }

    package var change: KeyProtectionChange { (.keyFile, .passphrase(new)) }
}

package struct ChangePassphraseCall: PassphraseCall {
    package static let name = "passphrase.change"
    package static let summary = "Replaces the passphrase of the data directory."
    package static let parameters: RPCParameters = ["current": Meaning.passphrase, "new": "The new passphrase."]
    package static let example = ChangePassphraseCall(current: "right horse", new: "left horse")

    let current: String
    let new: String

    package init(current: String, new: String) { (self.current, self.new) = (current, new) }

    package var change: KeyProtectionChange { (.passphrase(current), .passphrase(new)) }
}

package struct RemovePassphraseCall: PassphraseCall {
    package static let name = "passphrase.remove"
    package static let summary = "Removes the passphrase of the data directory."
    package static let parameters: RPCParameters = ["current": Meaning.passphrase]
    package static let example = RemovePassphraseCall(current: "left horse")

    let current: String

    package init(current: String) { self.current = current }

    package var change: KeyProtectionChange { (.passphrase(current), .keyFile) }
}

package struct LockCall: RPCMethod {
    package static let name = "lock"
    package static let summary = "Locks the node until it is unlocked."
    package static let needsKeys = false
    package static let example = LockCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        try await node.lock()
        return EmptyReply()
    }
}

package struct UnlockCall: RPCMethod {
    package static let name = "unlock"
    package static let summary = "Unlocks a locked node."
    package static let parameters: RPCParameters = ["passphrase": Meaning.passphrase]
    package static let needsKeys = false
    package static let example = UnlockCall(passphrase: "right horse")

    let passphrase: String

    package init(passphrase: String) { self.passphrase = passphrase }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        try await node.unlock(.passphrase(passphrase))
        return EmptyReply()
    }
}

package struct EraseCall: RPCMethod {
    package static let name = "erase"
    package static let summary = "Erases a conversation on this node, or everything; then the node ends."
    package static let parameters: RPCParameters = [
        "conversation": Meaning.conversation,
        "everything": "True to erase everything, instead of a conversation; a locked node can do it too.",
    ]
    package static let needsKeys = false
    package static let example = EraseCall(conversation: "Bob")

    let conversation: String?
    let everything: Bool?

    /// Makes a call that erases a conversation.
    package init(conversation: String) { (self.conversation, everything) = (conversation, nil) }

    /// Makes a call that erases everything.
    package init() { (conversation, everything) = (nil, true) }

    /// Whether the call erases the whole node.
    package var isEverything: Bool { conversation == nil && everything == true }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        guard (conversation != nil) != (everything == true), conversation == nil || everything == nil else {
            throw RPCError(
                .invalidParameters,
                "Give the parameter `conversation`, or `everything` as true."
            )
        }
        guard let conversation else {
            try await node.destroy()
            return EmptyReply()
        }
        guard await !node.isLocked else {
            throw ChatError(.locked, "The node is locked. Unlock it with its passphrase.")
        }
        try await node.conversations.named(conversation).erase()
        return EmptyReply()
    }
}
