/// A parser of server-sent events in bytes that come in pieces of any size.
///
/// Invariant: it holds at most one event of ``AssistantLimits/eventByteCount``.
/// Source: the HTML standard, section 9.2. Only the field `data` counts here, and `error`, which servers of llama.cpp
/// have sent in its place.
struct EventStreamParser: Sendable {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var followsCarriageReturn = false
    private var isAtStart = true
    /// Whether an event was too large; nothing more is read.
    private(set) var isBroken = false

    /// Takes the next bytes.
    ///
    /// - Returns: The data of the events that they end, in order.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes where !isBroken {
            let endsPair = followsCarriageReturn && byte == UInt8(ascii: "\n")
            followsCarriageReturn = byte == UInt8(ascii: "\r")
            guard !endsPair else { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                isBroken = line.count + (data?.count ?? 0) > AssistantLimits.eventByteCount
            }
        }
        return events
    }

    /// Takes the end of the stream.
    ///
    /// - Returns: The last event, if no empty line has ended it.
    mutating func end() -> [UInt8]? {
        let last = line.isEmpty ? nil : endLine()
        return last ?? endLine()
    }

    /// Ends a line, and returns the event if the line is an empty one after data.
    private mutating func endLine() -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        isAtStart = false
        guard !line.isEmpty else {
            defer { data = nil }
            return data
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let name = line[..<colon]
        guard name.elementsEqual("data".utf8) || name.elementsEqual("error".utf8) else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if data == nil { data = Array(value) } else { data?.append(contentsOf: [UInt8(ascii: "\n")] + value) }
        return nil
    }
}
