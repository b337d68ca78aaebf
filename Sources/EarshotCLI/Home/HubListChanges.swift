import EarshotRPC
import GatewayCore

/// The changes of the list of a data directory that a running node makes for its clients.
struct HubListChanges: Sendable {
    let home: HomeDirectory
    /// The hubs of the command line, which are not on the list.
    let given: [HubURL]

    /// Adds hubs, or changes their logins.
    func add(_ addresses: [String]) throws {
        let hubs = try addresses.map(Self.hub)
        for hub in hubs where given.contains(where: { $0.endpoint == hub.endpoint }) { throw Self.fixed(hub) }
        try Self.translating {
            var list = try HubList(in: home)
            _ = try list.adding(given + hubs)
            for hub in hubs { _ = try list.add(hub) }
        }
    }

    /// Removes a hub by its address or its name.
    func remove(_ name: String) throws {
        if let hub = given.first(where: { $0.isNamed(name) }) { throw Self.fixed(hub) }
        try Self.translating {
            var list = try HubList(in: home)
            guard list.hubs.contains(where: { $0.isNamed(name) }) else {
                throw RPCError(.notFound, "This is none of your hubs.")
            }
            try list.remove(name)
        }
    }

    /// Returns the names of hubs; none if the node uses one of them already.
    func missing(_ addresses: [String]) throws -> [String] {
        let hubs = try addresses.map(Self.hub)
        let known = try Self.translating { try HubList(in: home).hubs + given }
        let isKnown = hubs.contains { hub in known.contains { $0.endpoint == hub.endpoint } }
        return isKnown ? [] : hubs.map(\.description)
    }

    /// Makes an error of the wire from that of a command.
    static func translating<Value>(_ body: () throws -> Value) throws(RPCError) -> Value {
        do {
            return try body()
        } catch let error as RPCError {
            throw error
        } catch let failure as CommandFailure where failure.status == .usage {
            throw RPCError(.limited, failure.message)
        } catch {
            throw named(RPCError(.unavailable, CommandFailure(error).message), "homeUnusable")
        }
    }

    private static func hub(_ address: String) throws(RPCError) -> HubURL {
        let hub: HubURL
        do throws(HubError) {
            hub = try HubURL(address)
        } catch {
            throw named(RPCError(.invalidParameters, error.description), error.code.rawValue)
        }
        guard hub.user == nil || hub.password != nil else {
            let place = hub.text.replacing("://", with: "://USER:PASSWORD@", maxReplacements: 1)
            throw named(
                RPCError(.invalidParameters, "Give the password too: \(place)"),
                HubError.Code.login.rawValue
            )
        }
        return hub
    }

    private static func fixed(_ hub: HubURL) -> RPCError {
        named(
            RPCError(.unavailable, "Your node was started with --hub for \(hub). Start it without, then change it."),
            "hubFixed"
        )
    }

    private static func named(_ error: RPCError, _ name: String) -> RPCError {
        var error = error
        error.data?.code = name
        return error
    }
}
