import CCurl
import Foundation
import Synchronization

/// A part of the response of a model server, in order.
enum ResponsePart: Sendable {
    /// The head.
    case head(status: Int, contentType: String?)
    /// A piece of the body.
    case body(Data)
    /// The end, with the reason if it was not the server that ended it; nothing follows.
    case end(ModelFault?)
}

/// One request to a model server: no cookie, no cache, no redirection, no proxy, no second try.
///
/// A thread of its own creates the objects of libcurl, waits for the response and frees the objects. The parts of the
/// response come on that thread, one after the other.
final class ModelExchange: Sendable {
    private struct State {
        /// The address of the libcurl object for `curl_multi_wakeup`; nil while there is nothing to wake up.
        var waker: UInt?
        var isOver = false
    }

    private let take: @Sendable (ResponsePart) -> Bool
    private let state = Mutex(State())

    /// Sends a request.
    ///
    /// - Parameter take: Takes each part, and returns whether more is wanted.
    init(_ request: ModelRequest, take: @escaping @Sendable (ResponsePart) -> Bool) {
        self.take = take
        // libcurl blocks while it waits.
        Thread.detachNewThread { self.run(request) }
    }

    /// Ends the exchange at once with a failure, which is the last part.
    func end(_ fault: ModelFault) { finish(fault) }

    /// Ends the exchange at once; no further part comes.
    func cancel() { _ = close() }

    private func run(_ request: ModelRequest) {
        let transfer = ModelTransfer(request) { part in
            guard !self.isOver else { return false }
            if !self.take(part) { self.cancel() }
            return !self.isOver
        }
        guard let transfer else { return finish(ModelFault(.connectionLost, "libcurl does not start")) }
        // The object outlives its published address, so that no thread wakes up a freed object.
        let fault = withExtendedLifetime(transfer) {
            let waker = UInt(bitPattern: transfer.multi)
            state.withLock { $0.waker = waker }
            defer { state.withLock { $0.waker = nil } }
            return transfer.run { !self.isOver }
        }
        finish(fault)
    }

    private func finish(_ fault: ModelFault?) {
        if close() { _ = take(.end(fault)) }
    }

    private var isOver: Bool { state.withLock(\.isOver) }

    /// Closes the exchange: no further part comes, and the thread ends.
    ///
    /// - Returns: Whether the exchange was open.
    private func close() -> Bool {
        state.withLock { state in
            if let multi = state.waker.flatMap({ UnsafeMutableRawPointer(bitPattern: $0) }) {
                // This fails only if there is nothing to wake up.
                _ = curl_multi_wakeup(multi)
            }
            defer { state.isOver = true }
            return !state.isOver
        }
    }
}
