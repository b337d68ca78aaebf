import NIOCore
import NIOHTTP1

/// The body of a request, read at the speed of its use.
struct RequestBody {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let expectation: Expectation
    private var isComplete = false

    init(_ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ expectation: Expectation) {
        self.parts = parts.makeAsyncIterator()
        self.expectation = expectation
    }

    /// Reads the request's head; nil if the connection ends without one.
    mutating func head() async throws -> HTTPRequestHead? {
        guard case .head(let head) = try await parts.next(isolation: #isolation) else { return nil }
        return head
    }

    /// Reads the next bytes; nil after the last ones.
    ///
    /// - Throws: `cutOff` if the connection ends before the body.
    mutating func next() async throws -> ByteBuffer? {
        guard !isComplete else { return nil }
        switch try await parts.next(isolation: #isolation) {
        case .body(let bytes): return bytes
        case .end:
            isComplete = true
            expectation.end()
            return nil
        case .head, nil: throw PageError.cutOff
        }
    }

    /// Reads the whole body.
    mutating func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let next = try await next() {
            guard bytes.count + next.readableBytes <= limit else { throw PageError.tooLarge(limit) }
            bytes += next.readableBytesView
        }
        return bytes
    }

    /// Reads and drops the rest of the body, because a client reads the answer only after it has sent everything.
    mutating func drain() async throws {
        var left = WebLimits.drainByteCount
        while left > 0, let next = try await next() { left -= next.readableBytes }
    }
}
