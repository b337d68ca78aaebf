/// What goes beside an own message, sealed in the folder already.
struct MessageObjects: Sendable {
    /// The files in their order.
    var files: [SealedFile] = []
    /// The text, where it is too long for a content.
    var longText: SealedFile?
    /// That text as it is shown, where the content only refers to it.
    private(set) var shownText = ""

    /// Nothing.
    init() {}

    init(files: [SealedFile], longText: SealedFile?, text: String) {
        self.files = files
        self.longText = longText
        shownText = longText == nil ? "" : text
    }

    /// All of them by their index.
    var all: [(index: Int, file: SealedFile)] {
        files.enumerated().map { ($0, $1) } + (longText.map { [(BlobID.longTextIndex, $0)] } ?? [])
    }

    /// Units: bytes of each before it was sealed.
    var byteCounts: [UInt64] { all.map(\.file.reference.reference.byteCount) }
}
