package import Earshot

/// The services that the page's server needs besides the node; other modules provide them.
package protocol PageNode: Sendable {
    /// Serves JSON-RPC to one page until its lines end or the task is cancelled.
    ///
    /// - Parameters:
    ///   - endOthers: ends the sessions of all other pages.
    ///   - write: sends a line, without a line feed, and waits while the page does not read.
    func talk(
        _ lines: SocketLines,
        endOthers: @escaping @Sendable () -> Void,
        _ write: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async

    /// Puts a message into the outbox.
    ///
    /// - Parameters:
    ///   - parameters: JSON with the parameters of JSON-RPC's `send`, without paths; `uploads` has no effect here.
    ///   - files: the files to send with the message.
    func send(_ parameters: [UInt8], _ files: [FileDraft]) async -> PageAnswer

    /// Encodes an error as JSON in the form of JSON-RPC.
    func json(of error: ChatError) -> [UInt8]

    /// Notifies the page's owner that a browser has opened a session with a token.
    func tokenUsed()

    /// Makes the modules of a QR code, row by row, true for dark ones; nil for a text that fits no code.
    func code(of text: String, byteCount: Int) -> [[Bool]]?
}

/// The result of a page's request.
package struct PageAnswer: Hashable, Sendable {
    /// Whether the request succeeded.
    package let isDone: Bool
    /// The JSON of the result or of the error.
    package let json: [UInt8]

    /// Makes an answer.
    package init(isDone: Bool, json: [UInt8]) {
        self.isDone = isDone
        self.json = json
    }
}
