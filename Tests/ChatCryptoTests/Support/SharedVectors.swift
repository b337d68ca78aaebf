import Foundation
import Testing

/// The public vectors outside the repository, in `../shared/vectors` or in the folder that `EARSHOT_VECTORS` names.
enum SharedVectors: String {
    case noise = "noise-25519-aesgcm-sha256.json"
    case x25519 = "wycheproof-x25519.json"
    case hkdf = "wycheproof-hkdf-sha256.json"

    static let skipped: Comment =
        "SKIPPED: no such file in ../shared/vectors, and EARSHOT_VECTORS names no other folder"

    var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }

    private var url: URL {
        let folder =
            ProcessInfo.processInfo.environment["EARSHOT_VECTORS"].map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/vectors")
        return folder.appending(path: rawValue).standardizedFileURL
    }
}
