import NIOCore
import NIOHTTP1

/// The body of a request, read as fast as it is used.
struct RequestBody {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let expectation: Expectation
    private var isComplete = false

    init(_ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ expectation: Expectation) {
        self.parts = parts.makeAsyncIterator()
        self.expectation = expectation
    }

    /// The request's head; nil where the connection ends without one.
    mutating func head() async throws -> HTTPRequestHead? {
        guard case .head(let head) = try await parts.next(isolation: #isolation) else { return nil }
        return head
    }

    /// The next bytes; nil after the last ones.
    ///
    /// - Throws: `cutOff` where the connection ends before the body.
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

    /// All of it.
    mutating func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let next = try await next() {
            guard bytes.count + next.readableBytes <= limit else { throw PageError.tooLarge(limit) }
            bytes += next.readableBytesView
        }
        return bytes
    }

    /// Reads what is left, for a client hears the answer only when it has said everything.
    mutating func drain() async throws {
        var left = WebLimits.drainByteCount
        while left > 0, let next = try await next() { left -= next.readableBytes }
    }
}
