import Earshot
import Foundation

/// The attachments of a message, by absolute paths, in the order in which they are sent.
struct Attachments: Equatable, Sendable {
    var files: [String] = []
    var images: [String] = []
    /// Units: pixels of the longer edge of a picture at most.
    var longestEdge: Int?
    var voices: [String] = []

    private var paths: [String] { files + images + voices }

    var isEmpty: Bool { paths.isEmpty }

    /// The names of the files on this machine, safe for a terminal.
    var names: [String] { paths.map(Self.name) }

    /// The names of the pictures that are sent as files, with all their metadata.
    var unclean: [String] {
        files.filter { MediaLimits.imageTypes.contains(FileDraft(URL(filePath: $0)).type) }.map(Self.name)
    }

    /// Whether a file is too large for other nodes to store it for an offline recipient.
    var hasLargeFile: Bool {
        paths.contains { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.size] as? UInt64 ?? 0 > ChatLimits.smallBlobByteCount
        }
    }

    private static func name(_ path: String) -> String { DisplayText.safe(URL(filePath: path).lastPathComponent) }
}
