package import Foundation

/// The node's identity under a passphrase, to be kept elsewhere.
package struct BackUpIdentityCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "identity.backup"
    /// The names of its parameters.
    package static let parameters = ["passphrase"]

    /// The answer.
    package struct Reply: Codable, Hashable, Sendable {
        /// The sealed identity; Base64 on the wire.
        package let backup: Data
    }

    private let passphrase: String

    /// Makes the call.
    package init(passphrase: String) {
        self.passphrase = passphrase
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        do {
            return Reply(backup: Data(try await node.backUpIdentity(passphrase: passphrase)))
        } catch {
            throw RPCError(error)
        }
    }
}
