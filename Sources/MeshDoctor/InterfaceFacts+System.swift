import MeshTransport
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension InterfaceFacts {
    /// Returns all interfaces of the system by name, including those that are down or have no address.
    static func current() throws(IOError) -> [InterfaceFacts] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { throw IOError(errnoCode: errno, reason: "getifaddrs") }
        defer { freeifaddrs(list) }
        let states = SixAddressTable.current()
        var found: [String: InterfaceFacts] = [:]
        for entry in sequence(first: list, next: { $0.pointee.ifa_next }) {
            let name = String(cString: entry.pointee.ifa_name)
            let flags = CInt(truncatingIfNeeded: entry.pointee.ifa_flags)
            var facts = found[name] ?? InterfaceFacts(name: name, flags: flags, states: states)
            if let family = entry.pointee.ifa_addr.map({ CInt($0.pointee.sa_family) }) {
                facts.hasFour = facts.hasFour || family == AF_INET
                if family == AF_INET6, facts.six == .missing { facts.six = .ready }
            }
            found[name] = facts
        }
        return found.keys.sorted().compactMap { found[$0] }
    }

    private init(name: String, flags: CInt, states: SixAddressTable) {
        self.init(name: name)
        isUp = flags & CInt(IFF_UP) != 0
        hasCarrier = flags & CInt(IFF_RUNNING) != 0
        isLoopback = flags & CInt(IFF_LOOPBACK) != 0
        isMulticast = flags & CInt(IFF_MULTICAST) != 0
        isBroadcast = flags & CInt(IFF_BROADCAST) != 0
        isPrivate = PrivateNetwork.isReached(by: name, flags: UInt32(bitPattern: flags))
        hasFour = false
        six = states.state(of: name) ?? (SystemFile.isSixDisabled(on: name) ? .disabled : .missing)
    }
}

/// The IPv6 addresses of the system with their states, which `getifaddrs` does not report.
///
/// Shape: Linux's `if_inet6`, one line per address: address, index, prefix length, scope and flags in hex, name.
struct SixAddressTable: Equatable {
    /// IFA_F_DADFAILED.
    private static let duplicate: UInt8 = 0x08
    /// IFA_F_TENTATIVE.
    private static let tentative: UInt8 = 0x40

    private var flags: [String: [UInt8]] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count == 6, let value = UInt8(fields[4], radix: 16) else { continue }
            // A node uses the link-local address if there is one. It is the first address that the system creates.
            let isLinkLocal = fields[3] == "20"
            flags[String(fields[5]), default: []].insert(
                value,
                at: isLinkLocal ? 0 : flags[String(fields[5])]?.count ?? 0
            )
        }
    }

    static func current() -> SixAddressTable {
        // The thread's own table, since a thread may be in another network namespace than its process.
        SixAddressTable(SystemFile.text("/proc/thread-self/net/if_inet6") ?? "")
    }

    /// Returns the state of the address that a node would use; nil if there is none.
    func state(of name: String) -> InterfaceFacts.SixState? {
        guard let used = flags[name]?.first else { return nil }
        if used & Self.duplicate != 0 { return .duplicate }
        return used & Self.tentative != 0 ? .tentative : .ready
    }
}

/// Small files in which Linux describes its own state.
///
/// Other systems do not have them.
enum SystemFile {
    /// The largest number of bytes that are read.
    ///
    /// Units: bytes.
    private static let byteLimit = 262_144

    /// Returns the text of a file; nil if the file does not exist.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < byteLimit {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func isSixDisabled(on interface: String) -> Bool {
        text("/proc/sys/net/ipv6/conf/\(interface)/disable_ipv6")?.first == "1"
    }
}
