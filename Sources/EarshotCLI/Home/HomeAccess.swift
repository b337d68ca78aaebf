import Earshot
import EarshotMedia
import EarshotRPC
import Foundation

/// The access of one command to a home: through the node that runs on it, or by opening it.
struct HomeAccess: Sendable {
    let directory: HomeDirectory
    private let global: GlobalOptions
    private let console: Console

    init(_ global: GlobalOptions, _ console: Console) {
        self.global = global
        self.console = console
        directory = HomeDirectory(global)
    }

    /// Calls the node of the home; if none runs, opens the home without joining the mesh.
    ///
    /// - Parameter notifiesTampering: Whether the user is warned if another program has changed the stored records.
    func withNode(notifiesTampering: Bool = true, _ body: (any RPCCaller) async throws -> Void) async throws {
        if let client = try await directory.connect() {
            if notifiesTampering { await notifyTampering(client) }
            let outcome = await Self.outcome { try await body(client) }
            await client.close()
            return try outcome.get()
        }
        let node = try await open()
        let caller = LocalCaller(node: node)
        if notifiesTampering { await notifyTampering(caller) }
        let outcome = await Self.outcome { try await body(caller) }
        await node.stop()
        try outcome.get()
    }

    /// Warns the user if another program has changed the stored records; without an answer there is no warning.
    private func notifyTampering(_ caller: any RPCCaller) async {
        guard let status = try? await caller.call(StatusCall()), status.tampering > 0 else { return }
        console.complain(
            """
            Something other than Earshot has changed the history in \(directory.url.path). Run `earshot history \
            check`.
            """
        )
    }

    /// Calls a method whose effect is sent as soon as a node runs on the home, and prints its answer.
    ///
    /// - Parameter text: Makes the line for a person from the answer; nil for no line.
    func change<Method: RPCMethod>(
        _ method: Method,
        showing text: @escaping (Method.Reply) -> String? = { _ in nil }
    ) async throws {
        try await withNode { caller in
            let reply = try await caller.call(method)
            try console.result(reply, [text(reply)].compactMap(\.self))
            if caller is LocalCaller {
                console.note("It waits in the outbox and leaves as soon as a node runs in this data directory.")
            }
        }
    }

    /// Opens the home; if it has no identity, creates one and says so.
    func open(
        mesh: MeshOptions = MeshOptions(),
        setting adjust: (inout ChatConfiguration) -> Void = { _ in }
    ) async throws -> ChatNode {
        var settings = ChatConfiguration(mesh: mesh, mediaCleaner: StandardMediaCleaner())
        adjust(&settings)
        let passphrase = try Passphrase.given(global)
        do throws(ChatError) {
            return try await ChatNode.open(home(passphrase), settings)
        } catch {
            switch error.code {
            case .noIdentity:
                let name = ProcessInfo.processInfo.userName
                let node = try await ChatNode.create(name: name, in: home(passphrase), settings)
                reportCreated(name, passphrase)
                return node
            case .locked where passphrase == nil:
                return try await ChatNode.open(home(try Passphrase.present(global, of: directory)), settings)
            default: throw error
            }
        }
    }

    /// Opens the readable part of a damaged home, without changing it.
    func rescue() throws -> HistoryRescue {
        let passphrase = try Passphrase.given(global)
        do throws(ChatError) {
            return try HistoryRescue(home: directory.url, key: Home.Key(passphrase: passphrase))
        } catch {
            guard error.code == .locked, passphrase == nil else { throw error }
            return try HistoryRescue(
                home: directory.url,
                key: Home.Key(passphrase: try Passphrase.present(global, of: directory))
            )
        }
    }

    /// Creates the identity of a home that has none.
    ///
    /// - Throws: `alreadyInitialised` if it has one; nothing is changed then.
    func initialise(name: String, passphrase: String?) async throws -> ChatNode {
        let settings = ChatConfiguration(mediaCleaner: StandardMediaCleaner())
        do throws(ChatError) {
            return try await ChatNode.create(name: name, in: home(passphrase), settings)
        } catch {
            guard error.code == .alreadyInitialised else { throw error }
            throw ChatError(
                .alreadyInitialised,
                "\(directory.url.path) has an identity already; choose another --home."
            )
        }
    }

    /// Runs a body and returns its outcome, so that its resources can be closed in any case.
    static func outcome(_ body: () async throws -> Void) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    private func reportCreated(_ name: String, _ passphrase: String?) {
        let protection =
            passphrase == nil ? " without a passphrase: anybody who can read its files can read everything" : ""
        console.note("A new identity named \(name) was created in \(directory.url.path)\(protection).")
    }

    private func home(_ passphrase: String?) -> Home {
        .directory(directory.url, key: Home.Key(passphrase: passphrase))
    }
}
