package import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A socket on its way to NIO: it is made, given its options and bound here, then released into a channel.
///
/// Binding uses the system's own calls, because NIO's bootstrap knows neither half of the options nor zones, and
/// because a failure is then known at once and leaves nothing open. Invariant: this object closes the descriptor unless
/// it was released.
package final class SystemSocket {
    private var descriptor: CInt?

    /// Makes a socket for datagrams.
    package convenience init(_ family: AddressFamily) throws(IOError) {
        #if canImport(Glibc)
            let type = CInt(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        try self.init(domain: family == .v4 ? AF_INET : AF_INET6, type: type)
    }

    init(domain: CInt, type: CInt) throws(IOError) {
        let made = socket(domain, type, 0)
        guard made >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        descriptor = made
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        if let descriptor { _ = close(descriptor) }
    }

    /// Returns another descriptor of the same socket, for a new owner.
    func duplicate() throws(IOError) -> CInt {
        let copy = fcntl(descriptor ?? -1, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw IOError(errnoCode: errno, reason: "duplicate") }
        return copy
    }

    /// Hands the descriptor to a new owner.
    package func release() -> CInt? {
        defer { descriptor = nil }
        return descriptor
    }

    func set(_ option: SocketOption, to value: some BitwiseCopyable) throws(IOError) {
        try set(option, to: withUnsafeBytes(of: value) { Array($0) })
    }

    func set(_ option: SocketOption, to bytes: [UInt8]) throws(IOError) {
        guard setsockopt(descriptor ?? -1, option.level, option.name, bytes, socklen_t(bytes.count)) == 0 else {
            throw IOError(errnoCode: errno, reason: "setsockopt(\(option.level), \(option.name))")
        }
    }

    func attach(to address: SocketAddress) throws(IOError) {
        let result = address.withSockAddr { bind(descriptor ?? -1, $0, socklen_t($1)) }
        guard result == 0 else { throw IOError(errnoCode: errno, reason: "bind") }
    }

    /// Binds to an address of another family than the internet's, given as the bytes of its structure.
    func attach(toRaw address: [UInt8]) throws(IOError) {
        let result = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor ?? -1, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else { throw IOError(errnoCode: errno, reason: "bind") }
    }
}
