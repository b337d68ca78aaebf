import ChatCrypto
import EarshotRPC
import Foundation
import GatewayCore

/// The hubs of a link that the user was given, and uses in the place of a name.
struct LinkHubs {
    private let hubs: [HubURL]

    /// Reads the hubs that a text names; none if it is no link of an identity for first messages from afar.
    ///
    /// - Throws: If an address is none of a hub.
    init(of who: String) throws {
        guard let code = IdentityCode(who), code.token != nil else {
            hubs = []
            return
        }
        hubs = try code.hubs.map { try HubURL($0) }
    }

    /// Joins the hubs after the user has agreed; nothing connects before.
    ///
    /// If one of them is joined already, there is nothing to do.
    ///
    /// - Parameter confirmation: The way to ask the user.
    func join(in home: HomeDirectory, _ confirmation: Confirmation) async throws {
        var list = try HubList(in: home)
        guard !hubs.isEmpty, !hubs.contains(where: list.contains), try await !isJoined(home) else { return }
        let names = hubs.map(\.description).joined(separator: " and ")
        try confirmation.ask(
            "They read mail at \(names). Use \(hubs.count == 1 ? "this hub" : "these hubs")? "
                + "The operator sees your internet address, when and how much you write. Not who or what.",
            otherwise: "Nothing was sent, and nothing was connected."
        )
        for hub in hubs { _ = try list.add(hub) }
        guard try await HubList.reload(in: home) != false else {
            throw CommandFailure(.unavailable, "Nothing was sent. Start your node without --no-hub.")
        }
    }

    /// Returns whether the running node uses one of the hubs by its command line.
    private func isJoined(_ home: HomeDirectory) async throws -> Bool {
        guard let client = try await home.connect() else { return false }
        let status = try? await client.call(StatusCall())
        await client.close()
        let known = Set(status?.hubs?.map(\.address) ?? [])
        return hubs.contains { known.contains($0.text) }
    }
}

extension HubList {
    /// Has the node that runs on a data directory read its list of hubs anew; nil if none runs there.
    ///
    /// - Returns: Whether the node connects with hubs.
    static func reload(in home: HomeDirectory) async throws -> Bool? {
        guard let client = try await home.connect() else { return nil }
        do {
            let connects = try await client.call(ReloadHubsCall()).connects
            await client.close()
            return connects
        } catch {
            await client.close()
            throw error
        }
    }
}
