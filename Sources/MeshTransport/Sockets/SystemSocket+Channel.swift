import MeshCore
import NIOCore
import NIOPosix

extension SystemSocket {
    /// How many datagrams one system call reads.
    private static let readBatchCount = 32
    /// Units: bytes for each datagram of a batch; longer ones would be cut off silently.
    private static let slotByteCount = 2_048
    /// Units: bytes that may wait for a socket that takes no more; what is beyond is dropped like any lost datagram.
    private static let writeBufferByteCount = 4 * 1_024 * 1_024

    /// Turns the socket into a channel that hands its datagrams to `node`.
    func channel(
        to node: MeshNode,
        on id: InterfaceID,
        opening: UInt64,
        isMulticast: Bool
    ) -> EventLoopFuture<any Channel> {
        guard let descriptor = release() else { return node.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
        let buffers = FixedSizeRecvByteBufferAllocator(capacity: Self.readBatchCount * Self.slotByteCount)
        let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
            low: Self.writeBufferByteCount / 2,
            high: Self.writeBufferByteCount
        )
        return DatagramBootstrap(group: node.eventLoop)
            .channelOption(.datagramVectorReadMessageCount, value: Self.readBatchCount)
            .channelOption(.recvAllocator, value: buffers)
            .channelOption(.writeBufferWaterMark, value: waterMark)
            .channelOption(.receivePacketInfo, value: isMulticast)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        DatagramReceiver(node: node, interface: id, opening: opening, isMulticast: isMulticast)
                    )
                }
            }
            .withBoundSocket(descriptor)
    }
}
