/// Cuts a stream of bytes into lines.
///
/// Invariant: what is held never exceeds `RPCLimits.lineByteCount`.
package struct LineFramer: Sendable {
    /// Someone sent a line longer than a line may be.
    package struct LineTooLong: Error, Equatable {}

    private var partial: [UInt8] = []

    /// Makes a framer that has seen nothing.
    package init() {}

    /// Takes bytes and returns the lines they complete, without line feeds; empty lines are left out.
    ///
    /// - Throws: `LineTooLong`; the rest of the stream has no meaning then.
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
