import Earshot
import Foundation

/// What goes with a message, by paths from the root, in the order in which it goes.
struct Attachments: Equatable, Sendable {
    var files: [String] = []
    var images: [String] = []
    /// Units: pixels that the longer edge of a picture may have.
    var longestEdge: Int?
    var voices: [String] = []

    private var paths: [String] { files + images + voices }

    var isEmpty: Bool { paths.isEmpty }

    /// What they are called on this machine, fit for a terminal.
    var names: [String] { paths.map(Self.name) }

    /// The pictures among what goes as it is, with all that they tell.
    var unclean: [String] {
        files.filter { MediaLimits.imageTypes.contains(FileDraft(URL(filePath: $0)).type) }.map(Self.name)
    }

    /// Whether one is too large for others to keep it for a recipient who is away.
    var hasLargeFile: Bool {
        paths.contains { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.size] as? UInt64 ?? 0 > ChatLimits.smallBlobByteCount
        }
    }

    private static func name(_ path: String) -> String { DisplayText.safe(URL(filePath: path).lastPathComponent) }
}
