import MeshCore
import NIOCore
import NIOPosix

extension MeshNode {
    /// The interval at which the names of static peers without a link are looked up again, because hosts move.
    private static let lookUpInterval = TimeAmount.seconds(60)

    /// Returns the endpoints of the static peers, which another thread looks up.
    func resolveStaticPeers() async throws(MeshTransportError) -> [HostPort: Endpoint] {
        var found: [HostPort: Endpoint] = [:]
        for (name, answer) in await answers(for: configuration.staticPeers) { found[name] = try answer.get() }
        return found
    }

    /// Passes the static peers to the engine, and looks their names up again at intervals.
    func addStaticPeers() {
        guard !configuration.staticPeers.isEmpty else { return }
        for name in configuration.staticPeers {
            if let endpoint = staticPeers[name] { handle(.addStaticPeer(endpoint)) }
        }
        lookingUp = eventLoop.scheduleRepeatedTask(initialDelay: Self.lookUpInterval, delay: Self.lookUpInterval) { _ in
            self.assumeIsolated { $0.lookUpStaticPeers() }
        }
    }

    /// Looks up the static peers without a link again; those that moved are dialled at their new endpoints.
    func lookUpStaticPeers() {
        guard lookingUp != nil else { return }
        let linked = Set(snapshot().links.map(\.endpoint))
        let names = configuration.staticPeers.filter { name in staticPeers[name].map { !linked.contains($0) } ?? false }
        guard !names.isEmpty else { return }
        NIOThreadPool.singleton
            .runIfActive(eventLoop: eventLoop) { [lookUp] in names.map { ($0, lookUp($0)) } }
            .whenSuccess { answers in
                self.assumeIsolated { node in
                    for (name, answer) in answers { node.take(answer, for: name) }
                }
            }
    }

    /// Handles the answer of a later look-up; a name that has no address at the moment keeps its last one.
    private func take(_ answer: Result<Endpoint, MeshTransportError>, for name: HostPort) {
        guard case .success(let endpoint) = answer, let former = staticPeers[name], former != endpoint else { return }
        staticPeers[name] = endpoint
        if !staticPeers.values.contains(former) { handle(.removeStaticPeer(former)) }
        handle(.addStaticPeer(endpoint))
    }

    private func answers(for names: [HostPort]) async -> [(HostPort, Result<Endpoint, MeshTransportError>)] {
        do {
            return try await NIOThreadPool.singleton.runIfActive { [lookUp] in names.map { ($0, lookUp($0)) } }
        } catch {
            let failure = MeshTransportError(.unresolvedPeer, reason: "the lookup could not run", cause: error)
            return names.map { ($0, .failure(failure)) }
        }
    }
}
