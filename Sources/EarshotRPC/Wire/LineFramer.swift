/// A framer that cuts a stream of bytes into lines.
///
/// Invariant: the held bytes never exceed `RPCLimits.lineByteCount`.
package struct LineFramer: Sendable {
    /// The error for a line that is longer than allowed.
    package struct LineTooLong: Error, Equatable {}

    private var partial: [UInt8] = []

    /// Makes a framer without any bytes.
    package init() {}

    /// Takes bytes and returns the lines that they complete, without line feeds.
    ///
    /// Empty lines are left out.
    ///
    /// - Throws: `LineTooLong`. The rest of the stream has no meaning then.
    package mutating func lines(adding chunk: some Sequence<UInt8>) throws(LineTooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in chunk {
            if byte == UInt8(ascii: "\n") {
                if !partial.isEmpty { lines.append(partial) }
                partial.removeAll(keepingCapacity: false)
            } else {
                guard partial.count < RPCLimits.lineByteCount else { throw LineTooLong() }
                partial.append(byte)
            }
        }
        return lines
    }
}
