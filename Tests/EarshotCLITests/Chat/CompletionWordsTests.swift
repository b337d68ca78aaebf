import Testing

@testable import EarshotCLI

@Suite("Completion in a chat")
struct CompletionWordsTests {
    private static let words = CompletionWords(
        people: ["Bob", "Bob Miller", "Carol", "group:Hike"],
        members: ["Bob", "Carol"]
    )

    @Test(
        "The word before the cursor becomes a command, a name, an emoji or a path, as far as that is sure",
        arguments: [
            ("/he", .insert("/help ", replacing: 3)), ("/xyz", .nothing), ("he", .nothing), ("", .nothing),
            ("/dm car", .insert("Carol ", replacing: 3)), ("/dm gr", .insert("group:Hike ", replacing: 2)),
            ("/dm B", .several(["Bob", "Bob Miller"], insert: "Bob", replacing: 1)),
            ("/dm Bob M", .insert("Bob Miller ", replacing: 5)), ("/trust acc", .insert("accept ", replacing: 3)),
            ("/trust block Ca", .insert("Carol ", replacing: 2)), ("/reply 3 B", .nothing),
            ("Hi @ca", .insert("@Carol ", replacing: 3)), ("mail a@ca", .nothing),
            ("so :firs", .nothing), ("so :fir", .insert(":fire: ", replacing: 4)), ("at 10:30", .nothing),
            ("/react 3 :tad", .insert(":tada: ", replacing: 4)),
            ("/help mor", .insert("more ", replacing: 3)),
            (":hear", .several([":heart:", ":heart_eyes:"], insert: ":heart", replacing: 5)),
            ("/file pi", .insert("pics/", replacing: 2)), ("/file pics/a", .insert("a b.png", replacing: 1)),
            ("/save 3 pi", .insert("pics/", replacing: 2)), ("/file x", .nothing),
        ] as [(String, CompletionWords.Completion)]
    )
    func completion(text: String, result: CompletionWords.Completion) {
        let files = ["": ["pics/", ".secret"], "pics/": ["a b.png"]]
        #expect(Self.words.completion(of: text, names: { files[$0] ?? [] }) == result)
    }
}
