import ArgumentParser
import Foundation

/// The arguments that attach files, pictures and voice notes to a message.
struct AttachmentArguments: ParsableArguments {
    @Option(name: .customLong("file"), help: "A file to send unchanged; may be given several times.")
    var files: [String] = []

    @Option(
        name: .customLong("image"),
        help:
            "A picture (JPEG, PNG, WebP, GIF) to send without metadata; may be given several times."
    )
    var images: [String] = []

    @Option(
        help: ArgumentHelp(
            "Scale down pictures whose longer edge has more pixels; animations stay as they are.",
            valueName: "PIXELS"
        )
    )
    var longestEdge: Int?

    @Option(
        name: .customLong("voice"),
        help: "A recording (Opus in Ogg or WebM) to send as a voice note of at most a minute."
    )
    var voices: [String] = []

    func validate() throws {
        guard longestEdge ?? 1 > 0 else { throw ValidationError("--longest-edge is at least 1.") }
    }

    /// The attachments, with absolute paths.
    var attachments: Attachments {
        func absolute(_ paths: [String]) -> [String] { paths.map { URL(filePath: $0).absoluteURL.path } }
        return Attachments(
            files: absolute(files),
            images: absolute(images),
            longestEdge: longestEdge,
            voices: absolute(voices)
        )
    }
}
