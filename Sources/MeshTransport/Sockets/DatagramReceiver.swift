import MeshCore
import NIOCore

/// The end of one socket's pipeline: it passes datagrams, and the socket's end, to the node.
///
/// It runs on the node's own event loop, so it enters the actor without a hop.
final class DatagramReceiver: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let node: MeshNode
    private let interface: InterfaceID
    private let opening: UInt64
    private let isMulticast: Bool

    /// - Parameter opening: The opening of the interface's sockets that this one belongs to, so that the late end of an
    ///   older socket does not count as the end of the present one.
    init(node: MeshNode, interface: InterfaceID, opening: UInt64, isMulticast: Bool) {
        self.node = node
        self.interface = interface
        self.opening = opening
        self.isMulticast = isMulticast
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data)
        // The system already filters by interface. If it fails to, a beacon must not count for another's segment.
        if isMulticast, let arrival = datagram.metadata?.packetInfo, arrival.interfaceIndex != Int(interface.index) {
            return
        }
        guard let source = Endpoint(datagram.remoteAddress, receivedOn: interface) else { return }
        let segmentByteCount = datagram.metadata?.segmentSize
        node.assumeIsolated { [isMulticast] node in
            node.receive(datagram.data, cutInto: segmentByteCount, from: source, multicast: isMulticast)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // This is deferred, because it may happen in the middle of the node's own flush.
        context.eventLoop.execute { [node, interface, opening] in
            node.assumeIsolated { $0.socketsFailed(on: interface, opening: opening) }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error that matters closes the channel, and `channelInactive` handles that.
    }
}

extension ByteBuffer {
    /// Passes on the datagrams that the system joined: all of `byteCount`, only the last may be shorter; without a
    /// count, there is one datagram.
    func forEachDatagram(of byteCount: Int?, _ body: ([UInt8]) -> Void) {
        guard let byteCount, byteCount > 0, byteCount < readableBytes else { return body(Array(readableBytesView)) }
        for start in stride(from: readerIndex, to: writerIndex, by: byteCount) {
            body(Array(readableBytesView[start..<min(start + byteCount, writerIndex)]))
        }
    }
}
