import Foundation
package import GatewayCore
package import MeshCore

/// A gateway: it carries mail between a mesh and up to four hubs.
///
/// All decisions are those of `GatewayEngine`. A gateway that was stopped does not start again; new settings need a new
/// gateway.
package actor Gateway {
    private let hubs: [HubURL]
    private let connections: [HubConnection]
    private let mesh: any FarMesh
    private var engine: GatewayEngine
    private let begin = ContinuousClock.now
    /// The effects that are not carried out; the windows and rates of the engine bound them.
    private var effects = Fifo<GatewayEffect>()
    private var isWorking = false
    private var isStarted = false
    private var isStopped = false
    private var listeners: [Task<Void, Never>] = []
    private var timer: Task<Void, Never>?
    private var timerEnd = MeshInstant.distantFuture

    /// Prepares a gateway.
    ///
    /// - Parameters:
    ///   - hubs: The hubs, at most 4; more are ignored.
    ///   - authorities: A file in PEM form with certificates from which those of the hubs may descend, besides those of
    ///     the system.
    ///   - mesh: The mesh.
    ///   - hashes: The hashes of the mesh.
    ///   - allowance: The bytes of a day, beyond which only this node's own mail goes, and those that are used.
    package init(
        hubs: [HubURL],
        authorities: String? = nil,
        mesh: any FarMesh,
        hashes: GatewayHashes,
        allowance: DayAllowance = DayAllowance(limit: nil)
    ) {
        self.hubs = Array(hubs.prefix(GatewayLimits.hubCount))
        self.mesh = mesh
        connections = self.hubs.map { HubConnection(to: $0, authorities: authorities) }
        engine = GatewayEngine(hubs: self.hubs, hashes: hashes, random: .system, date: .now, allowance: allowance)
    }

    isolated deinit {
        listeners.forEach { $0.cancel() }
        timer?.cancel()
    }

    /// Connects to the hubs, and keeps connected.
    package func start() {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        listeners = connections.enumerated().map { hub, connection in
            Task { [weak self] in
                for await _ in connection.inbox.bell { await self?.read(hub) }
            }
        }
        handle([.tick])
    }

    /// The bytes of the day, and those that are used.
    package var allowance: DayAllowance { engine.allowance }

    /// Ends all connections.
    package func stop() async {
        isStopped = true
        listeners.forEach { $0.cancel() }
        timer?.cancel()
        effects = Fifo()
        for connection in connections { await connection.close() }
    }

    /// Takes envelopes that the mesh has delivered; this may begin before the start.
    package func take(_ envelopes: [FarEnvelope]) {
        handle(envelopes.map { .envelope($0.envelope, $0.id, from: $0.link) })
    }

    /// Returns the states of the hubs.
    package func status() -> [HubStatus] { engine.statuses }

    /// Returns the states of the hubs with their counters.
    package func figures() -> [(status: HubStatus, counters: HubCounters)] {
        Array(zip(engine.statuses, engine.counters))
    }

    // MARK: - Events

    private var now: MeshInstant { MeshInstant.zero.advanced(by: begin.duration(to: .now)) }

    private func read(_ hub: Int) {
        handle(connections[hub].inbox.take().map { .hub(hub, $0) })
    }

    private func handle(_ events: [GatewayEvent]) {
        guard !isStopped else { return }
        for event in events {
            for effect in engine.handle(event, now: now, date: .now) { effects.append(effect) }
        }
        setTimer()
        guard !isWorking, !effects.isEmpty else { return }
        isWorking = true
        Task { await work() }
    }

    private func setTimer() {
        guard isStarted, let deadline = engine.nextDeadline, deadline < timerEnd else { return }
        timer?.cancel()
        timerEnd = deadline
        let wait = now.duration(to: deadline)
        timer = Task { [weak self] in
            guard (try? await Task.sleep(for: max(.zero, wait))) != nil else { return }
            await self?.tick()
        }
    }

    private func tick() {
        timerEnd = .distantFuture
        handle([.tick])
    }

    // MARK: - Effects

    /// Carries out all effects, one after the other.
    private func work() async {
        while let effect = effects.first {
            effects.removeFirst()
            switch effect {
            case .open(let hub): Task { await open(hub) }
            case .close(let hub): await connections[hub].close()
            case .ask(let hub, let requests): await connections[hub].send(requests, from: 0)
            case .inject(let envelope): await mesh.inject([envelope] + takeInjections())
            case .submit(let kind, let body, let life): await mesh.submitFar(kind: kind, body: body, life: life)
            case .noteStored(let name, let hub): await mesh.noteStored(name, at: hubs[hub])
            case .goThroughStore: take(await mesh.storedFar())
            }
        }
        isWorking = false
    }

    /// Takes the envelopes that are to be injected next.
    private func takeInjections() -> [Envelope] {
        var envelopes: [Envelope] = []
        while case .inject(let envelope) = effects.first {
            envelopes.append(envelope)
            effects.removeFirst()
        }
        return envelopes
    }

    /// Connects to a hub, for as long as that takes.
    private func open(_ hub: Int) async {
        let event: GatewayEvent
        do throws(HubError) {
            event = .opened(hub, try await connections[hub].open())
        } catch {
            event = .failed(hub, error)
        }
        guard !isStopped else { return await connections[hub].close() }
        handle([event])
        // The end may have come before the engine knew of the connection.
        read(hub)
    }
}
