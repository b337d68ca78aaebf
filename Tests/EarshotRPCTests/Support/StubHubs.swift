import Earshot
import EarshotRPC
import Synchronization

@testable import ChatCore

/// A list of hubs in memory, which notes what is done with it.
final class StubHubs: Sendable {
    private let calls = Mutex<[String]>([])
    private let list: Mutex<[String]>

    /// The calls that changed the list.
    var changes: [String] { calls.withLock { $0 } }

    init(_ list: [String] = []) { self.list = Mutex(list) }

    var control: HubControl {
        HubControl(
            reports: { [self] in list.withLock { $0 }.map(Self.report) },
            metrics: { [] },
            reload: {},
            changes: HubChanges(
                fixed: ["tls://fixed.example.org"],
                add: { [self] addresses in
                    note("add \(addresses.joined(separator: " "))")
                    list.withLock { $0 += addresses }
                },
                remove: { [self] name in
                    note("remove \(name)")
                    guard list.withLock({ $0.contains { $0.hasSuffix(name) } }) else {
                        throw RPCError(.notFound, "None.")
                    }
                    list.withLock { $0.removeAll { $0.hasSuffix(name) } }
                },
                missing: { [self] addresses in
                    list.withLock { list in addresses.contains(where: list.contains) ? [] : addresses }
                }
            ),
            begin: {},
            leave: {}
        )
    }

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    private static func report(_ address: String) -> HubReport {
        let host = String(address.drop { $0 != "/" }.drop { $0 == "/" })
        return HubReport(host: host, address: address, state: "live", since: Timestamp(clamping: 1), sentCount: 2)
    }
}
