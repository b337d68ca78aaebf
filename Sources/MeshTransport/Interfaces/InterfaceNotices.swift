import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's notices that interfaces or their addresses have changed.
///
/// The node does not read the change from the notice but looks it up, so a notice that is lost or not understood costs
/// no more than the wait for the node's next look.
enum InterfaceNotices {
    /// Opens a channel that calls `node` for each batch of notices, in the network namespace of the calling thread.
    static func open(for node: MeshNode) throws(IOError) -> EventLoopFuture<any Channel> {
        guard let descriptor = try socket().release() else { throw IOError(errnoCode: EBADF, reason: "notices") }
        return NIOPipeBootstrap(group: node.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NoticeReceiver(node: node))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .flatMapErrorThrowing { error in
                _ = close(descriptor)
                throw error
            }
    }

    private static func socket() throws(IOError) -> SystemSocket {
        #if canImport(Glibc)
            let type = CInt(SOCK_RAW.rawValue)
        #else
            let type = SOCK_RAW
        #endif
        #if os(Linux)
            let socket = try SystemSocket(domain: AF_NETLINK, type: type)
            // The bytes of a sockaddr_nl: family and padding, a number of the kernel's choice, the groups told of
            // interfaces (1), of IPv4 addresses (16) and of IPv6 addresses (256).
            let family = withUnsafeBytes(of: UInt16(AF_NETLINK)) { Array($0) }
            let numberAndGroups = withUnsafeBytes(of: (UInt32(0), UInt32(1 | 16 | 256))) { Array($0) }
            try socket.attach(toRaw: family + [0, 0] + numberAndGroups)
            return socket
        #else
            return try SystemSocket(domain: PF_ROUTE, type: type)
        #endif
    }
}

/// A receiver that passes notices to the node, whatever they say.
private final class NoticeReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let node: MeshNode

    init(node: MeshNode) {
        self.node = node
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelReadComplete(context: ChannelHandlerContext) {
        node.assumeIsolated { $0.noticeArrived() }
    }
}
