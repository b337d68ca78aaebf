import ChatCrypto

/// The description of an attachment that is sent beside its message.
package struct FileReference: Hashable, Sendable {
    /// The length of a key.
    ///
    /// Units: bytes.
    static let keyByteCount = 32
    /// The length of the longest media type.
    ///
    /// Units: bytes.
    static let typeByteCount = 127
    /// The type of a file whose type is unknown.
    package static let unknownType = "application/octet-stream"

    /// The name, safe to show and to use for a file.
    package let name: String
    /// The media type.
    package let type: String
    /// The reference to the sealed bytes, with their size.
    package let reference: BlobReference
    /// The key that opens the attachment.
    package let key: [UInt8]
    /// The facts of a picture or voice note; nil for a plain file.
    package let media: MediaFacts?

    package init(name: String, type: String, reference: BlobReference, key: [UInt8], media: MediaFacts? = nil) {
        self.name = name
        self.type = type
        self.reference = reference
        self.key = key
        self.media = media
    }

    /// Returns the same file with another seal.
    func sealed(as reference: BlobReference, under key: [UInt8]) -> FileReference {
        FileReference(name: name, type: type, reference: reference, key: key, media: media)
    }

    /// Reads the claim of a peer: makes names and types safe, checks sizes and claims; nil for an impossible
    /// attachment.
    init?(_ file: ProtoFile) {
        let media = file.media.flatMap { MediaFacts($0, of: file) }
        guard let reference = BlobReference(root: [UInt8](file.root), byteCount: file.size),
            file.key.count == Self.keyByteCount, (file.media == nil) == (media == nil)
        else { return nil }
        self.init(
            name: FileName.safe(file.name),
            type: Self.isType(file.type) ? file.type : Self.unknownType,
            reference: reference,
            key: [UInt8](file.key),
            media: media
        )
    }

    /// Reads a text that is sent beside its message; nil for an impossible attachment.
    init?(_ text: ProtoLongText) {
        var file = ProtoFile()
        (file.size, file.root, file.key) = (text.size, text.root, text.key)
        self.init(file)
    }

    /// Opens the text in an attachment's sealed bytes; nil for bytes that are no such text.
    func text(in sealed: [UInt8]) -> String? {
        guard let opener = BlobOpener(key: key), sealed.count == Int(reference.sealedByteCount) else { return nil }
        var text: [UInt8] = []
        for (index, chunk) in reference.chunks(of: sealed).enumerated() {
            let isLast = index == reference.chunkCount - 1
            guard let bytes = opener.open(Array(chunk), index: UInt32(index), isLast: isLast) else { return nil }
            text += bytes
        }
        return String(validating: text, as: UTF8.self)
    }

    /// The encoded reference in a content, in place of a text.
    var encodedAsLongText: ProtoLongText {
        var text = ProtoLongText()
        text.size = reference.byteCount
        text.root = .bytes(reference.root)
        text.key = .bytes(key)
        return text
    }

    /// The encoded reference in a content.
    var encoded: ProtoFile {
        var file = ProtoFile()
        file.name = name
        file.type = type
        file.size = reference.byteCount
        file.root = .bytes(reference.root)
        file.key = .bytes(key)
        file.media = media?.encoded
        return file
    }

    /// Whether a text is a media type: two words of harmless characters with a slash between them.
    package static func isType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= typeByteCount else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                        UInt8(ascii: "+"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
