import Foundation
import GatewayCore
import MeshCore

/// The way between two islands: their gateways, the hub, and the mail that crosses.
///
/// It runs on the clock of the network, and calls each engine at the time of its event.
struct IslandBridge: Sendable {
    let plan: IslandPlan
    private(set) var gateways: [SimGateway]
    private(set) var line: FarLine
    private(set) var mail: FarMail
    private(set) var sightings = IslandSightings()
    private let positions: [Int: Int]

    /// Sets up gateways that are not connected; nil if the plan has a bad address.
    init?(_ plan: IslandPlan, seed: UInt64) {
        guard let url = try? HubURL("tls://hub.example.org") else { return nil }
        self.plan = plan
        var random = SplitMix64(seed: seed)
        let date = Self.date(at: .zero)
        gateways = plan.gateways.map { host in
            SimGateway(host: host, hub: url, random: MeshRandom(seed: random.next()), date: date)
        }
        line = FarLine(to: url, gatewayCount: plan.gateways.count, latency: plan.latency)
        mail = FarMail(plan)
        positions = Dictionary(uniqueKeysWithValues: plan.gateways.enumerated().map { ($1, $0) })
    }

    // MARK: - Running

    /// Connects the gateways, and has hosts ask for their mail.
    mutating func start(_ messages: [ScenarioMessage], seed: UInt64, in net: inout SimNet) {
        net.watch.farReports = []
        for gateway in gateways { net.send(.attachGateway, to: gateway.host) }
        for gateway in gateways.indices { handle(.tick, at: gateway, &net) }
        mail.watch(messages, seed: seed, in: &net)
    }

    /// Plans the time in which the hub is gone.
    mutating func planOutage(from start: MeshInstant) {
        if let outage = plan.outage { line.plan(outage, from: start) }
    }

    /// Runs the network, the gateways and the hub until a time.
    mutating func run(_ net: inout SimNet, until end: MeshInstant) {
        while let next = nextTime(net), next <= end {
            net.run(until: next)
            takeReports(&net)
            for (gateway, connection, event) in line.advance(to: net.now, date: Self.date(at: net.now))
            where gateways[gateway].connection == connection {
                handle(event, at: gateway, &net)
            }
            for gateway in gateways.indices {
                if let deadline = gateways[gateway].deadline, deadline <= net.now { handle(.tick, at: gateway, &net) }
            }
        }
        net.run(until: end)
    }

    private func nextTime(_ net: SimNet) -> MeshInstant? {
        var next = net.nextTime
        func take(_ time: MeshInstant?) {
            if let time { next = min(next ?? time, max(time, net.now)) }
        }
        take(line.nextTime)
        for gateway in gateways { take(gateway.deadline) }
        return next
    }

    /// Passes what the meshes report to their gateways, until there is nothing more.
    private mutating func takeReports(_ net: inout SimNet) {
        while let reports = net.watch.takeFarReports() {
            for (host, far) in reports {
                guard let gateway = positions[host] else { continue }
                handle(.envelope(far.envelope, far.id, from: far.link), at: gateway, &net)
            }
        }
    }

    private mutating func handle(_ event: GatewayEvent, at gateway: Int, _ net: inout SimNet) {
        let effects = gateways[gateway].handle(event, now: net.now, date: Self.date(at: net.now))
        for effect in effects { perform(effect, of: gateway, &net) }
        takeReports(&net)
    }

    private mutating func perform(_ effect: GatewayEffect, of gateway: Int, _ net: inout SimNet) {
        let host = gateways[gateway].host
        switch effect {
        case .open:
            gateways[gateway].connection += 1
            line.open(gateway, connection: gateways[gateway].connection, now: net.now)
        case .close:
            gateways[gateway].connection += 1
            line.close(gateway)
        case .ask(_, let requests):
            line.ask(requests, gateway: gateway, connection: gateways[gateway].connection, now: net.now)
        case .inject(let envelope):
            let id = NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...])
            gateways[gateway].injected.append(id)
            sightings.note(id, in: plan.island(of: host))
            net.send(.inject(envelope), to: host)
        case .submit(let kind, let body, let life): net.submit(kind, body: body, life: life, from: host)
        case .noteStored: return
        case .goThroughStore: net.send(.attachGateway, to: host)
        }
    }

    // MARK: - Mail

    /// Writes a message of kind FAR.
    mutating func write(_ message: ScenarioMessage, in net: inout SimNet) { mail.write(message, in: &net) }

    /// Notes that an envelope came to a host, and answers it as the host would.
    mutating func take(_ delivery: SimWatch.Delivery, in net: inout SimNet) {
        sightings.note(delivery.id, in: plan.island(of: delivery.host))
        mail.take(delivery, in: &net)
    }

    /// Sends the confirmations that are due.
    mutating func confirm(in net: inout SimNet) { mail.confirm(in: &net) }

    /// The wall clock of all hosts and of the hub.
    private static func date(at time: MeshInstant) -> Date {
        // In the morning of a day, so that no mailbox changes in the run.
        Date(timeIntervalSince1970: 1_794_990_000 + MeshInstant.zero.duration(to: time) / .seconds(1))
    }
}
