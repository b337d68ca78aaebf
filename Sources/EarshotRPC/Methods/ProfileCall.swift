import Earshot

/// What the user is called and how it is shown; changes what is given.
package struct ProfileCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "profile"
    /// The names of its parameters.
    package static let parameters = ["name", "emoji", "colour"]

    /// The answer: all of it as it is now.
    package struct Reply: Codable, Hashable, Sendable {
        /// What the user is called.
        package let name: String
        /// One emoji; absent for none.
        package let emoji: String?
        /// The name of a colour; absent for none.
        package let colour: String?
    }

    /// A nickname; nil to leave it.
    package let newName: String?
    /// One emoji, empty for none; nil to leave it.
    package let emoji: String?
    /// The name of a colour, empty for none; nil to leave it.
    package let colour: String?

    private enum CodingKeys: String, CodingKey {
        case newName = "name"
        case emoji, colour
    }

    /// Whether it sets something.
    package var isAct: Bool { newName != nil || emoji != nil || colour != nil }

    /// Makes the call.
    package init(name: String? = nil, emoji: String? = nil, colour: String? = nil) {
        newName = name
        self.emoji = emoji
        self.colour = colour
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        var profile = await node.profile
        if let emoji { profile.emoji = emoji.isEmpty ? nil : emoji }
        if let colour { profile.colour = try Self.colour(colour) }
        guard profile.emoji.map(Emoji.isSingle) ?? true else {
            throw RPCError(.invalidParameters, "The parameter `emoji` is one emoji, or empty for none.")
        }
        do {
            if let newName { try await node.rename(to: newName) }
            if emoji != nil || colour != nil { try await node.setProfile(profile) }
        } catch {
            throw RPCError(error)
        }
        let now = await node.profile
        return Reply(name: await node.status.name, emoji: now.emoji, colour: now.colour?.rawValue)
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
