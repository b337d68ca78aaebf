extension Collection<UInt8> {
    /// Whether the text stands at the start, byte for byte.
    func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { starts(with: $0) }
    }
}
