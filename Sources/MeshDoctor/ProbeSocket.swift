import MeshCore
import MeshTransport
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A node's socket that one thread uses, so that the system's result of every send is visible.
///
/// NIO would close a channel on the errors that the doctor looks for.
final class ProbeSocket {
    /// The longest datagram that is read.
    ///
    /// Longer ones are cut off; no probe or beacon is that long. Units: bytes.
    private static let datagramByteCount = 2_048

    let descriptor: CInt

    /// Takes ownership of a socket.
    init(_ socket: SystemSocket) throws(IOError) {
        guard let released = socket.release() else { throw IOError(errnoCode: EBADF, reason: "released") }
        descriptor = released
    }

    deinit {
        _ = close(descriptor)
    }

    /// The port that the system chose; 0 if the system does not report it.
    var port: UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return result == 0 ? Self.source(storage)?.port ?? 0 : 0
    }

    /// The size of the system's buffer for unread datagrams.
    ///
    /// Units: bytes.
    var receiveBufferByteCount: Int {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &value, &length) == 0 else { return 0 }
        #if os(Linux)
            // Linux reports twice the requested size. The other half is for its own bookkeeping.
            return Int(value) / 2
        #else
            return Int(value)
        #endif
    }

    /// Sends a datagram; returns the system's error number, or nil if the system took the datagram.
    func send(_ bytes: [UInt8], to address: SocketAddress) -> CInt? {
        let sent = address.withSockAddr { raw, length in
            sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), raw, socklen_t(length))
        }
        return sent >= 0 ? nil : errno
    }

    /// Returns the next waiting datagram with its source; nil if none waits.
    func receive() -> (bytes: [UInt8], address: IPAddress, port: UInt16)? {
        var buffer = [UInt8](repeating: 0, count: Self.datagramByteCount)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutableBytes(of: &storage) { bytes in
            recvfrom(
                descriptor,
                &buffer,
                buffer.count,
                CInt(MSG_DONTWAIT),
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                &length
            )
        }
        guard count >= 0, let source = Self.source(storage) else { return nil }
        return (Array(buffer.prefix(count)), source.address, source.port)
    }

    private static func source(_ storage: sockaddr_storage) -> (address: IPAddress, port: UInt16)? {
        withUnsafeBytes(of: storage) { bytes in
            switch CInt(storage.ss_family) {
            case AF_INET:
                let raw = bytes.loadUnaligned(as: sockaddr_in.self)
                return IPAddress(SocketAddress(raw)).map { ($0, UInt16(bigEndian: raw.sin_port)) }
            case AF_INET6:
                let raw = bytes.loadUnaligned(as: sockaddr_in6.self)
                return IPAddress(SocketAddress(raw)).map { ($0, UInt16(bigEndian: raw.sin6_port)) }
            default: return nil
            }
        }
    }
}
