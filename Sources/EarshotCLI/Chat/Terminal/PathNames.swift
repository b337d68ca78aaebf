import Foundation

/// Names in folders, for completion.
enum PathNames {
    /// How many are looked at.
    static let count = 2_000

    /// The names in a folder, of folders with a `/` behind; those that a terminal may show.
    static func names(in folder: String) -> [String] {
        let place = URL(filePath: folder.isEmpty ? "." : NSString(string: folder).expandingTildeInPath)
        let found = try? FileManager.default.contentsOfDirectory(
            at: place,
            includingPropertiesForKeys: [.isDirectoryKey]
        )
        return (found ?? []).prefix(count).map { file in
            let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
            return file.lastPathComponent + (isFolder ? "/" : "")
        }.filter { DisplayText.safe($0) == $0 }
    }
}
