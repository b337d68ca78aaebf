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

/// A node's socket as one thread uses it, so that the system's answer to every send is seen.
///
/// NIO would close a channel on an error that is what the doctor looks for.
final class ProbeSocket {
    /// Units: bytes; longer datagrams are cut off, and are none that anybody here looks for.
    private static let datagramByteCount = 2_048

    let descriptor: CInt

    /// Takes a socket over.
    init(_ socket: SystemSocket) throws(IOError) {
        guard let released = socket.release() else { throw IOError(errnoCode: EBADF, reason: "released") }
        descriptor = released
    }

    deinit {
        _ = close(descriptor)
    }

    /// The port that the system chose; 0 if it tells none.
    var port: UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return result == 0 ? Self.source(storage)?.port ?? 0 : 0
    }

    /// Units: bytes that the system keeps for datagrams that nobody has read yet.
    var receiveBufferByteCount: Int {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &value, &length) == 0 else { return 0 }
        #if os(Linux)
            // Linux tells twice what it was asked for: the other half is its own book-keeping.
            return Int(value) / 2
        #else
            return Int(value)
        #endif
    }

    /// Sends a datagram; the result is the system's error number, nil where it took the datagram.
    func send(_ bytes: [UInt8], to address: SocketAddress) -> CInt? {
        let sent = address.withSockAddr { raw, length in
            sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), raw, socklen_t(length))
        }
        return sent >= 0 ? nil : errno
    }

    /// The next datagram that waits, and where it came from; nil if none does.
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
