import NIOCore

/// The frames of a stream: each is the length of a datagram, 2 bytes, and the datagram.
///
/// Source: PROTOCOL §3.6.
struct StreamFrames {
    /// A length that no datagram has; there is no way to find the next frame behind it.
    struct Violation: Error, Equatable {
        let byteCount: Int
    }

    private var buffer = ByteBuffer()

    /// The bytes of the frame that has not come whole.
    var pendingByteCount: Int { buffer.readableBytes }

    /// Takes the next bytes of the stream and returns the datagrams that are whole now.
    ///
    /// - Throws: `Violation` if a length is 0 or too large. The stream cannot go on.
    mutating func take(_ bytes: ByteBuffer) throws(Violation) -> [ByteBuffer] {
        buffer.writeImmutableBuffer(bytes)
        var datagrams: [ByteBuffer] = []
        while let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self).map(Int.init) {
            guard (1...StreamLimits.datagramByteCount).contains(length) else { throw Violation(byteCount: length) }
            guard buffer.readableBytes >= StreamLimits.headerByteCount + length else { break }
            buffer.moveReaderIndex(forwardBy: StreamLimits.headerByteCount)
            if let datagram = buffer.readSlice(length: length) { datagrams.append(datagram) }
        }
        if buffer.readableBytes == 0 { buffer.clear() } else { buffer.discardReadBytes() }
        return datagrams
    }

    /// Returns the frame of a datagram; nil if it fits none.
    static func frame(_ datagram: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer? {
        guard (1...StreamLimits.datagramByteCount).contains(datagram.count) else { return nil }
        var frame = allocator.buffer(capacity: StreamLimits.headerByteCount + datagram.count)
        frame.writeInteger(UInt16(datagram.count))
        frame.writeBytes(datagram)
        return frame
    }
}
