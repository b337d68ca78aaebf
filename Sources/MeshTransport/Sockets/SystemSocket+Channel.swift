import MeshCore
import NIOCore
import NIOPosix

/// The way in which a socket's datagrams are read.
enum ReadMode {
    /// Datagrams joined by the system, each up to the longest there is.
    case joined
    /// One datagram at a time, each at most as long as a network's frame.
    case single
    /// One datagram at a time, with the interface by which it came.
    case multicast

    /// The number of buffers that one system call fills.
    fileprivate var bufferCount: Int { self == .joined ? 16 : 32 }

    /// Units: bytes for each buffer; a longer datagram would be cut off silently.
    fileprivate var bufferByteCount: Int { self == .joined ? 65_536 : 2_048 }
}

extension SystemSocket {
    /// Turns the socket into a channel that hands its datagrams to `node`.
    func channel(
        to node: MeshNode,
        on id: InterfaceID,
        opening: UInt64,
        reading mode: ReadMode
    ) -> EventLoopFuture<any Channel> {
        guard let descriptor = release() else { return node.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
        let buffers = FixedSizeRecvByteBufferAllocator(capacity: mode.bufferCount * mode.bufferByteCount)
        let bootstrap = DatagramBootstrap(group: node.eventLoop)
            .channelOption(.datagramVectorReadMessageCount, value: mode.bufferCount)
            .channelOption(.recvAllocator, value: buffers)
            // The node answers after each read, so that acknowledgements do not wait for a whole backlog.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        DatagramReceiver(node: node, interface: id, opening: opening, isMulticast: mode == .multicast)
                    )
                }
            }
        return switch mode {
        case .joined: bootstrap.channelOption(.datagramReceiveSegmentSize, value: true).withBoundSocket(descriptor)
        case .single: bootstrap.withBoundSocket(descriptor)
        case .multicast: bootstrap.channelOption(.receivePacketInfo, value: true).withBoundSocket(descriptor)
        }
    }
}
