import Foundation

/// A search of whole files for texts.
struct FileSearch {
    /// The number of files read.
    private(set) var fileCount = 0
    /// Units: bytes read.
    private(set) var byteCount = 0
    /// The texts found, each with its file.
    private(set) var found: [(text: String, file: String)] = []

    /// Reads every regular file below a directory.
    init(_ texts: [String], below directory: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
        for path in paths {
            let url = directory.appendingPathComponent(path)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let data = try Data(contentsOf: url)
            fileCount += 1
            byteCount += data.count
            for text in texts where data.range(of: Data(text.utf8)) != nil { found.append((text, path)) }
        }
    }
}
