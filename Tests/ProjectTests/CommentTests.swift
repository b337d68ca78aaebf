import Testing

@Suite("Comments")
struct CommentTests {
    @Test(
        "No comment begins with a question word: its subject stands first",
        arguments: ["Sources", "Examples", "Tests", "Benchmarks/Sources", "Fuzz"]
    )
    func commentOpenings(folder: String) throws {
        let pattern = try Regex("(?m)^\\s*/{2,3} ?(What|Who|Whom|Whose|Where|When|Which|How) ")
        let slashes = String(repeating: "/", count: 3)
        #expect((slashes + " What it is").contains(pattern) && !(slashes + " Whether it is").contains(pattern))
        let hits = Repository.swiftFiles(below: folder).filter { $0.text.contains(pattern) }.map(\.path)
        #expect(hits == [])
    }
}
