extension ProtoMessageRecord {
    private static let outgoingBit: UInt32 = 1
    private static let importedBit: UInt32 = 2

    /// Whether this node's user wrote it.
    package var outgoing: Bool {
        get { origin & Self.outgoingBit != 0 }
        set { origin = newValue ? origin | Self.outgoingBit : origin & ~Self.outgoingBit }
    }

    /// Whether it came from an export.
    package var imported: Bool {
        get { origin & Self.importedBit != 0 }
        set { origin = newValue ? origin | Self.importedBit : origin & ~Self.importedBit }
    }
}
