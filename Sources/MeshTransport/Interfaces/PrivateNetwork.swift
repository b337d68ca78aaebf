#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The interfaces that lead to no network of other people: tunnels, bridges, and the host's ends of containers.
///
/// A node leaves them alone unless they are named. On a tunnel or in a virtual machine its beacons would tell somebody
/// far away that Earshot is in use, and link this network with the other one.
package enum PrivateNetwork {
    /// Returns whether an interface is one of these, by its name and flags, and by its driver in the network namespace
    /// of the calling thread.
    package static func isReached(by name: String, flags: UInt32) -> Bool {
        guard flags & UInt32(IFF_LOOPBACK) == 0 else { return false }
        return flags & UInt32(IFF_POINTOPOINT) != 0 || prefixes.contains { name.hasPrefix($0) }
            || driver(of: name).map(drivers.contains) ?? false
    }

    /// The beginnings of the names that container runtimes, hypervisors and bridges of macOS give.
    private static let prefixes = ["veth", "cali", "cni", "flannel", "lxc", "vmnet", "vboxnet", "bridge"]
    /// The drivers of bridges and tunnels.
    private static let drivers: Set<String> = ["bridge", "tun", "wireguard"]

    #if os(Linux)
        /// Returns the driver of an interface; nil if the system does not say.
        ///
        /// Shape: a `struct ifreq` of 40 bytes that points to a `struct ethtool_drvinfo` of 196 bytes, in which the
        /// driver's name follows the number of the request. Source: linux/ethtool.h.
        private static func driver(of name: String) -> String? {
            guard name.utf8.count < nameByteCount, let socket = try? SystemSocket(.v4),
                let descriptor = socket.release()
            else { return nil }
            defer { _ = close(descriptor) }
            var info = withUnsafeBytes(of: driverRequest) { Array($0) } + [UInt8](repeating: 0, count: 192)
            let result = info.withUnsafeMutableBytes { info in
                let place = UInt(bitPattern: info.baseAddress)
                var request = Array(name.utf8) + [UInt8](repeating: 0, count: nameByteCount - name.utf8.count)
                request += withUnsafeBytes(of: place) { Array($0) }
                request += [UInt8](repeating: 0, count: 40 - request.count)
                return request.withUnsafeMutableBytes { request in
                    request.baseAddress.map { ioctl(descriptor, ethtool, $0) } ?? -1
                }
            }
            guard result == 0 else { return nil }
            return String(decoding: info[4..<36].prefix { $0 != 0 }, as: UTF8.self)
        }

        private static let nameByteCount = 16
        /// SIOCETHTOOL.
        private static let ethtool: UInt = 0x8946
        /// ETHTOOL_GDRVINFO.
        private static let driverRequest: UInt32 = 3
    #else
        private static func driver(of name: String) -> String? { nil }
    #endif
}
