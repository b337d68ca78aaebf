import Foundation

/// The names in folders, for completion.
enum PathNames {
    /// The largest number of names that are read per folder.
    static let count = 2_000

    /// Returns the names in a folder, those of folders with `/` at the end; only names that a terminal may show.
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
