package import Earshot

/// What the page's server needs besides the node itself, and other modules have.
package protocol PageNode: Sendable {
    /// Talks JSON-RPC with one page until its lines end or the task is cancelled.
    ///
    /// - Parameters:
    ///   - endOthers: Ends the sessions of all other pages.
    ///   - write: Sends a line, without a line feed; waits while the page does not read.
    func talk(
        _ lines: SocketLines,
        endOthers: @escaping @Sendable () -> Void,
        _ write: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async

    /// Puts a message into the outbox.
    ///
    /// - Parameters:
    ///   - parameters: JSON, the parameters of JSON-RPC's `send` without paths, and with `uploads`, which says nothing here.
    ///   - files: What goes with it.
    func send(_ parameters: [UInt8], _ files: [FileDraft]) async -> PageAnswer

    /// The JSON of an error in the form that JSON-RPC gives it.
    func json(of error: ChatError) -> [UInt8]

    /// Is told that a browser has opened a session by a token.
    func tokenUsed()

    /// The modules of a code for cameras, row by row, whether they are dark; nil for a text that there is none of.
    func code(of text: String, byteCount: Int) -> [[Bool]]?
}

/// What became of something that a page asked for.
package struct PageAnswer: Hashable, Sendable {
    /// Whether it was done.
    package let isDone: Bool
    /// What is to be said of it.
    package let json: [UInt8]

    /// Makes an answer.
    package init(isDone: Bool, json: [UInt8]) {
        self.isDone = isDone
        self.json = json
    }
}
