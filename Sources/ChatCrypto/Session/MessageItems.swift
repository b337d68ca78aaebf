import Bytes

/// The contents that travel in one session message or group message.
///
/// Shape: 1 to 256 of: length (LEB128) ‖ content of at least one byte. Source: PROTOCOL §8.
public enum MessageItems {
    /// The most contents in one message.
    public static let maximumCount = 256

    /// Computes the size of a content among others.
    ///
    /// Units: bytes.
    public static func byteCount(of content: [UInt8]) -> Int {
        ByteWriter.byteCount(variable: UInt64(content.count)) + content.count
    }

    /// Encodes contents, of which none is empty.
    static func encode(_ contents: [[UInt8]]) -> [UInt8] {
        var writer = ByteWriter()
        for content in contents {
            writer.append(variable: UInt64(content.count))
            writer.append(content)
        }
        return writer.take()
    }

    /// Reads the output of `encode`; nil for an empty content, too many of them, or bytes that are left over.
    static func decode(_ items: ArraySlice<UInt8>) -> [[UInt8]]? {
        var reader = ByteReader(items)
        var contents: [[UInt8]] = []
        while !reader.isAtEnd {
            guard contents.count < maximumCount, let count = reader.variableInteger(), count > 0,
                let content = Int(exactly: count).flatMap({ reader.bytes($0) })
            else { return nil }
            contents.append(content)
        }
        return contents.isEmpty ? nil : contents
    }
}
