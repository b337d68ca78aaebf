import Foundation
import Testing

@Suite("Files of the page")
struct PageFileTests {
    /// Units: bytes of all the page's files.
    static let byteLimit = 299_000

    @Test("Every file of the page is put into the program, and together they are small")
    func table() throws {
        let folder = Repository.root.appending(path: "Sources/CPage/Page")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let table = try #require(Repository.read("Sources/CPage/page.c"))
        var byteCount = 0
        for name in names {
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            #expect(table.contains("#embed \"Page/\(name)\""))
            byteCount += try Data(contentsOf: URL(filePath: path)).count
        }
        #expect((1...Self.byteLimit).contains(byteCount))
    }
}
