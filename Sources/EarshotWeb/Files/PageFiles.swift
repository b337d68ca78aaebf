import CPage

/// A file of the page.
struct PageFile: Sendable {
    /// The media type of the file.
    let type: String
    let bytes: [UInt8]
}

/// The files of the page, which are a part of the program.
enum PageFiles {
    /// The files by path.
    static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for index in 0..<earshot_page_file_count() {
            let file = earshot_page_file_at(index)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            files[String(cString: file.path)] = PageFile(type: String(cString: file.type), bytes: bytes)
        }
        return files
    }()
}
