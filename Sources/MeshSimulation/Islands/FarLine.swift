import Foundation
import GatewayCore
import MeshCore

/// The connections of gateways to the hub, with the messages under way, and the hub itself.
///
/// Messages of one connection arrive in their order, each after the time to or from the hub.
struct FarLine: Sendable {
    /// A message that is under way.
    enum Transit: Sendable {
        /// A gateway connects.
        case opening(gateway: Int, connection: Int)
        /// A request to the hub.
        case request(HubRequest, gateway: Int, connection: Int)
        /// An event for a gateway.
        case event(GatewayEvent, gateway: Int, connection: Int, run: Int)
        /// The hub stops.
        case loss
        /// The hub starts again.
        case comeback(losesMail: Bool)
    }

    /// The address of the hub, as gateways name it.
    let url: HubURL
    private(set) var hub = SimHub()
    private var clock = SimClock<Transit>()
    private let latencies: [Duration]
    /// The times that the hub has stopped; what it sent before and has not arrived is lost.
    private var lossCount = 0
    /// The connection that the hub knows of each gateway.
    private var known: [Int: Int] = [:]

    init(to url: HubURL, gatewayCount: Int, latency: Duration) {
        self.url = url
        latencies = (0..<gatewayCount).map { latency + latency * $0 / 10 }
    }

    /// The time of the next arrival; nil if nothing is under way.
    var nextTime: MeshInstant? { clock.nextTime }

    // MARK: - Gateways

    /// Connects a gateway.
    mutating func open(_ gateway: Int, connection: Int, now: MeshInstant) {
        schedule(.opening(gateway: gateway, connection: connection), gateway, now: now)
    }

    /// Ends the connection of a gateway.
    mutating func close(_ gateway: Int) {
        hub.disconnect(gateway)
        known[gateway] = nil
    }

    /// Sends requests of a gateway.
    mutating func ask(_ requests: [HubRequest], gateway: Int, connection: Int, now: MeshInstant) {
        for request in requests {
            schedule(.request(request, gateway: gateway, connection: connection), gateway, now: now)
        }
    }

    // MARK: - Time

    /// Plans a time in which the hub is gone.
    mutating func plan(_ outage: IslandPlan.Outage, from start: MeshInstant) {
        clock.schedule(.loss, at: start.advanced(by: outage.begin))
        clock.schedule(.comeback(losesMail: outage.losesMail), at: start.advanced(by: outage.end))
    }

    /// Performs what is due, and returns the events that gateways get now.
    mutating func advance(
        to now: MeshInstant,
        date: Date
    ) -> [(gateway: Int, connection: Int, event: GatewayEvent)] {
        var events: [(gateway: Int, connection: Int, event: GatewayEvent)] = []
        while let transit = clock.next(until: now) {
            switch transit {
            case .opening(let gateway, let connection):
                let isOpen = hub.connect(gateway)
                if isOpen { known[gateway] = connection }
                let event: GatewayEvent =
                    isOpen ? .opened(0, .whole) : .failed(0, .unreachable(url, "connection refused"))
                send(event, to: gateway, connection, now: now)
            case .request(let request, let gateway, let connection):
                guard known[gateway] == connection else { continue }
                for message in hub.take(request, from: gateway, date: date) {
                    send(.hub(0, message.event), to: message.gateway, now: now)
                }
            case .event(let event, let gateway, let connection, let run):
                if run == lossCount { events.append((gateway, connection, event)) }
            case .loss:
                lossCount += 1
                for gateway in known.keys.sorted() { send(.hub(0, .closed), to: gateway, now: now) }
                known = [:]
                hub.stop()
            case .comeback(let losesMail): hub.start(losesMail: losesMail)
            }
        }
        return events
    }

    private mutating func send(_ event: GatewayEvent, to gateway: Int, now: MeshInstant) {
        if let connection = known[gateway] { send(event, to: gateway, connection, now: now) }
    }

    private mutating func send(_ event: GatewayEvent, to gateway: Int, _ connection: Int, now: MeshInstant) {
        schedule(.event(event, gateway: gateway, connection: connection, run: lossCount), gateway, now: now)
    }

    private mutating func schedule(_ transit: Transit, _ gateway: Int, now: MeshInstant) {
        clock.schedule(transit, at: now.advanced(by: latencies[gateway]))
    }
}
