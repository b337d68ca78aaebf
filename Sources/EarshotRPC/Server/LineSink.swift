/// The receiver of the lines for one client.
package protocol LineSink: Sendable {
    /// Writes a line and its line feed as one piece; the call waits while the client does not read.
    func write(_ line: [UInt8]) async throws
}
