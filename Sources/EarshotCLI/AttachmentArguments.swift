import ArgumentParser
import Foundation

/// The arguments that attach files, pictures and voice notes to a message.
struct AttachmentArguments: ParsableArguments {
    @Option(name: .customLong("file"), help: "A file to go with it as it is; may be given several times.")
    var files: [String] = []

    @Option(
        name: .customLong("image"),
        help:
            "A picture (JPEG, PNG, WebP, GIF) to go with it, with nothing but what is seen; may be given several times."
    )
    var images: [String] = []

    @Option(
        help: ArgumentHelp(
            "Make pictures smaller whose longer edge has more pixels; those that move stay as they are.",
            valueName: "PIXELS"
        )
    )
    var longestEdge: Int?

    @Option(
        name: .customLong("voice"),
        help: "A recording (Opus in Ogg or WebM) to go with it as a voice note of at most a minute."
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
