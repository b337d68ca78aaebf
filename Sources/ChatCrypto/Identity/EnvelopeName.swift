/// The name of an envelope; every node computes it, and no node sends it.
///
/// No peer can make a second envelope with the same name, so junk under this name cannot keep the genuine envelope out.
/// Source: PROTOCOL §2.
public enum EnvelopeName {
    /// Computes the name: the first half of `H("earshot/v1/pid", byte0 ‖ body)`.
    ///
    /// Shape: 16 bytes.
    public static func bytes(kindByte: UInt8, body: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256.State()
        hash.update(Label.envelopeID.bytes)
        hash.update(CollectionOfOne(kindByte))
        hash.update(body)
        return Array(hash.finish().prefix(16))
    }
}
