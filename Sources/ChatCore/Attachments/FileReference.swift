import ChatCrypto

/// The description of an object that travels beside its message.
package struct FileReference: Hashable, Sendable {
    /// Units: bytes of a key.
    static let keyByteCount = 32
    /// Units: bytes of the longest media type.
    static let typeByteCount = 127
    /// The type of a file of which nothing better is known.
    package static let unknownType = "application/octet-stream"

    /// The name, safe to be shown and to be given to a file.
    package let name: String
    /// The media type.
    package let type: String
    /// Names the sealed object and tells its size.
    package let reference: BlobReference
    /// The key that opens it.
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

    /// The same file, sealed anew.
    func sealed(as reference: BlobReference, under key: [UInt8]) -> FileReference {
        FileReference(name: name, type: type, reference: reference, key: key, media: media)
    }

    /// Reads what a peer wrote: names and types are made safe, sizes and claims checked; nil for what can be no object.
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

    /// A text that travels beside its message; nil for what can be no object.
    init?(_ text: ProtoLongText) {
        var file = ProtoFile()
        (file.size, file.root, file.key) = (text.size, text.root, text.key)
        self.init(file)
    }

    /// The text that an object's sealed bytes hold; nil for bytes that are no such text.
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

    /// As it stands in a content in place of a text.
    var encodedAsLongText: ProtoLongText {
        var text = ProtoLongText()
        text.size = reference.byteCount
        text.root = .bytes(reference.root)
        text.key = .bytes(key)
        return text
    }

    /// As it stands in a content.
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

    /// Whether a text is a media type: two words of harmless letters with a slash between them.
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
