package import Earshot
package import Foundation

package struct ProfileCall: RPCMethod {
    package static let name = "profile"
    package static let summary = "Returns the user's profile, and changes the given parts."
    package static let parameters: RPCParameters = [
        "name": "A nickname.", "emoji": "One emoji, empty for none.", "colour": "The name of a colour, empty for none.",
    ]
    package static let example = ProfileCall(emoji: "🦊", colour: "teal")

    /// The present profile.
    package struct Reply: Codable, Hashable, Sendable {
        /// The nickname.
        package let name: String
        /// One emoji; absent for none.
        package let emoji: String?
        /// The name of a colour; absent for none.
        package let colour: String?
    }

    let name: String?
    let emoji: String?
    let colour: String?

    package var isAct: Bool { name != nil || emoji != nil || colour != nil }

    package init(name: String? = nil, emoji: String? = nil, colour: String? = nil) {
        (self.name, self.emoji, self.colour) = (name, emoji, colour)
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        var profile = try await node.identity.profile
        if let emoji { profile.emoji = emoji.isEmpty ? nil : emoji }
        if let colour { profile.colour = try Self.colour(colour) }
        guard profile.emoji.map(Emoji.isSingle) ?? true else {
            throw RPCError(.invalidParameters, "The parameter `emoji` is one emoji, or empty for none.")
        }
        if let name { try await node.identity.setNickname(name) }
        if emoji != nil || colour != nil { try await node.identity.setProfile(profile) }
        let now = try await node.identity.profile
        return Reply(name: node.identity.nickname, emoji: now.emoji, colour: now.colour?.rawValue)
    }

    private static func colour(_ name: String) throws(RPCError) -> ProfileColour? {
        if name.isEmpty { return nil }
        guard let colour = ProfileColour(rawValue: name) else {
            let names = ProfileColour.allCases.map(\.rawValue).joined(separator: ", ")
            throw RPCError(.invalidParameters, "The parameter `colour` is one of \(names), or empty for none.")
        }
        return colour
    }
}

package struct InviteCall: RPCMethod {
    package static let name = "identity.invite"
    package static let summary = "Makes a link with which anybody, in any mesh, can write to the user for 90 days."
    package static let example = InviteCall()

    /// A link for a first message from afar.
    package struct Reply: Codable, Hashable, Sendable {
        /// The link, which is a secret: whoever has it can write to the user.
        package let link: String
        /// The hubs that it names, without logins; none if this node has none.
        package let hubs: [String]
        /// The end of its use.
        package let ends: Date
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        let code = try await node.identity.invite()
        let end = TimeInterval(code.token?.endDay ?? 0) * 86_400
        return Reply(link: code.text, hubs: code.hubs, ends: Date(timeIntervalSince1970: end))
    }
}

package struct EndInvitesCall: RPCMethod {
    package static let name = "identity.endInvites"
    package static let summary = "Ends all links for first messages from afar."
    package static let example = EndInvitesCall()

    /// The outcome of the call.
    package struct Reply: Codable, Hashable, Sendable {
        /// The number of links that are of no use any more.
        package let ended: Int
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        Reply(ended: try await node.identity.endInvites())
    }
}

package struct BackUpIdentityCall: RPCMethod {
    package static let name = "identity.backup"
    package static let summary = "Returns the identity sealed under a passphrase, for a copy in a safe place."
    package static let parameters: RPCParameters = ["passphrase": "The passphrase that seals the backup."]
    package static let example = BackUpIdentityCall(passphrase: "right horse")

    /// The backup of an identity.
    package struct Reply: Codable, Hashable, Sendable {
        /// The sealed identity; Base64 on the wire.
        package let backup: Data
    }

    let passphrase: String

    package init(passphrase: String) { self.passphrase = passphrase }

    package func perform(on node: ChatNode) async throws -> Reply {
        Reply(backup: Data(try await node.identity.backUp(passphrase: passphrase)))
    }
}

package struct RevocationCertificateCall: RPCMethod {
    package static let name = "identity.certificate"
    package static let summary = "Returns the certificate that revokes the node's identity."
    package static let example = RevocationCertificateCall()

    /// The certificate of a revocation.
    package struct Reply: Codable, Hashable, Sendable {
        /// The certificate.
        ///
        /// Shape: 128 bytes; Base64 on the wire.
        package let certificate: Data
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        Reply(certificate: Data(try await node.identity.revocationCertificate()))
    }
}

package struct RotationPlanCall: RPCMethod {
    package static let name = "identity.rotationPlan"
    package static let summary = "Returns the consequences of a rotation of the node's identity."
    package static let example = RotationPlanCall()

    /// The effects of a rotation.
    package struct Reply: Codable, Hashable, Sendable {
        /// The number of contacts that get a notice.
        package let contacts: Int
        /// The titles of groups whose owners' nodes will replace the old identity by the new one.
        package let following: [String]
        /// The titles of groups that the node leaves.
        package let leaving: [String]
        /// The titles of groups that the user has to hand over first.
        package let owned: [String]
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        let plan = try await node.identity.rotationPlan()
        return Reply(
            contacts: plan.contactCount,
            following: plan.following,
            leaving: plan.leaving,
            owned: plan.owned
        )
    }
}

package struct RotateIdentityCall: RPCMethod {
    package static let name = "identity.rotate"
    package static let summary = "Replaces the node's identity by a new one."
    package static let example = RotateIdentityCall()

    /// The new identity.
    package struct Reply: Codable, Hashable, Sendable {
        /// The new peer ID.
        package let id: String
        /// The nickname, which does not change.
        package let name: String
        /// The new fingerprint.
        package let fingerprint: String
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply {
        let id = try await node.identity.rotate()
        let status = await node.status
        return Reply(id: id.description, name: status.name, fingerprint: status.fingerprint)
    }
}

package struct RevokeIdentityCall: RPCMethod {
    package static let name = "identity.revoke"
    package static let summary = "Revokes an identity forever."
    package static let parameters: RPCParameters = [
        "certificate": "The certificate of any identity.", "own": "True to revoke the node's own, without certificate.",
    ]
    package static let example = RevokeIdentityCall(certificate: nil)

    /// The revoked identity.
    package struct Reply: Codable, Hashable, Sendable {
        /// The peer ID.
        package let id: String
    }

    let certificate: Data?
    let own: Bool?

    /// Makes a call with a certificate, or for the node's own identity.
    package init(certificate: Data?) {
        self.certificate = certificate
        own = certificate == nil ? true : nil
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        guard (certificate != nil) != (own == true) else {
            throw RPCError(.invalidParameters, "Give either `certificate` or `own`: true.")
        }
        return Reply(id: try await node.identity.revoke(by: certificate.map { [UInt8]($0) }).description)
    }
}
