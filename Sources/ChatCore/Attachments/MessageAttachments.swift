/// The attachments of an own message, sealed in the directory already.
struct MessageAttachments: Sendable {
    /// The files in their order.
    var files: [SealedFile] = []
    /// The text, if it is too long for a content.
    var longText: SealedFile?
    /// The text as it is shown, if the content only refers to it.
    private(set) var shownText = ""

    /// Makes an empty set of attachments.
    init() {}

    init(files: [SealedFile], longText: SealedFile?, text: String) {
        self.files = files
        self.longText = longText
        shownText = longText == nil ? "" : text
    }

    /// All attachments by their index.
    var all: [(index: Int, file: SealedFile)] {
        files.enumerated().map { ($0, $1) } + (longText.map { [(BlobID.longTextIndex, $0)] } ?? [])
    }

    /// The size of each attachment before it was sealed.
    ///
    /// Units: bytes.
    var byteCounts: [UInt64] { all.map(\.file.reference.reference.byteCount) }
}
