extension Collection<UInt8> {
    /// Whether the bytes begin with the text, byte for byte.
    func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { starts(with: $0) }
    }
}
