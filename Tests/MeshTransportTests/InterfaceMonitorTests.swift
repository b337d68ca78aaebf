import MeshCore
import Testing

@testable import MeshTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Interface monitor")
struct InterfaceMonitorTests {
    private let loopback = interface(1, "lo", [127, 0, 0, 1], isLoopback: true, isMulticast: false)
    private let ethernet = interface(2, "eth0", [10, 0, 0, 1])
    private let tunnel = interface(3, "tun0", [10, 9, 0, 1], isMulticast: false)

    @Test("Without names, loopback and what can multicast is used")
    func unnamed() {
        var monitor = InterfaceMonitor(names: [])
        #expect(monitor.update([loopback, ethernet, tunnel]) == [.up(loopback), .up(ethernet)])
        #expect(monitor.update([loopback, ethernet, tunnel]) == [])
    }

    @Test("Named interfaces are used and no others")
    func named() {
        var monitor = InterfaceMonitor(names: ["tun0"])
        #expect(monitor.update([loopback, ethernet, tunnel]) == [.up(tunnel)])
    }

    @Test("An interface of a private network is used only if it is named")
    func ofPrivateNetwork() {
        let bridge = Self.interface(4, "docker0", [172, 17, 0, 1], isPrivate: true)
        var all = InterfaceMonitor(names: [])
        #expect(all.update([ethernet, bridge]) == [.up(ethernet)])
        var named = InterfaceMonitor(names: ["docker0"])
        #expect(named.update([ethernet, bridge]) == [.up(bridge)])
    }

    @Test("Tunnels and the ends of containers are private; loopback and other cards are not")
    func privateNetworks() {
        let (loopback, tunnel) = (UInt32(IFF_LOOPBACK), UInt32(IFF_POINTOPOINT))
        #expect(PrivateNetwork.isReached(by: "wg0", flags: tunnel))
        #expect(PrivateNetwork.isReached(by: "veth12ab", flags: 0) && PrivateNetwork.isReached(by: "cni0", flags: 0))
        #expect(!PrivateNetwork.isReached(by: "lo", flags: loopback | tunnel))
        #expect(!PrivateNetwork.isReached(by: "eth9", flags: 0))
        #expect(!PrivateNetwork.isReached(by: String(repeating: "n", count: 300), flags: 0))
    }

    @Test("IPv6 on loopback is not used, since groups do not work there")
    func loopbackSix() {
        let six = Self.interface(1, "lo", [UInt8](repeating: 0, count: 15) + [1], isLoopback: true, isMulticast: false)
        var monitor = InterfaceMonitor(names: ["lo"])
        #expect(monitor.update([loopback, six]) == [.up(loopback)])
    }

    @Test("What goes is down, what changes is down and up, downs first")
    func changes() {
        var monitor = InterfaceMonitor(names: [])
        let moved = Self.interface(1, "lo", [127, 0, 0, 2], isLoopback: true, isMulticast: false)
        _ = monitor.update([loopback, ethernet])
        #expect(monitor.update([moved]) == [.down(loopback.id), .down(ethernet.id), .up(moved)])
        #expect(monitor.update([moved, ethernet]) == [.up(ethernet)])
    }

    @Test("The system's loopback interface is found with its subnet")
    func system() throws {
        let found = try #require(try LocalInterface.current().first { $0.isLoopback && $0.id.family == .v4 })
        #expect(found.address?.bytes == [127, 0, 0, 1])
        #expect(found.prefixes.map(\.length) == [8])
        #expect(found.canHearGroups)
    }

    private static func interface(
        _ index: UInt32,
        _ name: String,
        _ bytes: [UInt8],
        isLoopback: Bool = false,
        isMulticast: Bool = true,
        isPrivate: Bool = false
    ) -> LocalInterface {
        let prefixes = [IPAddress(bytes: bytes)].compactMap { $0 }.map { Prefix(address: $0, length: 24) }
        let family: AddressFamily = bytes.count == 4 ? .v4 : .v6
        return LocalInterface(
            id: InterfaceID(index: index, family: family),
            name: name,
            isLoopback: isLoopback,
            isMulticast: isMulticast,
            isPrivate: isPrivate,
            prefixes: prefixes
        )
    }
}
