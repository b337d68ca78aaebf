import EarshotRPC
import Foundation
import Testing

@Suite("Lists of rooms in files")
struct RoomListCommandTests {
    private static let id = String(repeating: "0a", count: 16)

    private static func room(_ change: (String, String)? = nil) -> String {
        let text = #"{"id":"\#(id)","title":"Trees","name":"Fox","maximumMembers":8}"#
        return change.map { text.replacing($0.0, with: $0.1) } ?? text
    }

    private static func list(_ rooms: [String]) -> String { #"{"rooms":[\#(rooms.joined(separator: ","))]}"# }

    @Test("A list is written once, for its owner alone, and read by another home, without a node or with one")
    func roundTrip() async throws {
        let pair = try await ConversationCommandTests.Pair()
        for title in ["Trees", "Oaks"] { #expect(try await pair.bob("room", "create", title).status == 0) }
        let file = pair.folder.path("rooms.json")
        #expect(try await pair.bob("room", "export", file).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let again = try await pair.bob("room", "export", file)
        #expect(again.status == 65 && again.output == "" && again.errors.contains(file), "\(again)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for secret in ["key", "invite", "members\""] { #expect(!text.contains(secret)) }
        let taken = try await pair.alice("room", "import", file)
        #expect(taken.status == 0 && taken.output == #"{"added":2}"# + "\n", "\(taken)")
        #expect(try await pair.bob("room", "import", file).output == #"{"added":0}"# + "\n")
        let listed = try await pair.alice("room", "list")
        let rooms = try RPCCoding.decode([RoomReply].self, from: Array(listed.output.utf8))
        #expect(rooms.map(\.title) == ["Oaks", "Trees"] && rooms.allSatisfy { $0.standing == "left" && $0.own == nil })
        #expect(try await pair.alice("room", "leave", "Trees").status == 0)
        let shown = try await EarshotProcess.run(["--home", pair.aliceHome, "room", "list"])
        #expect(shown.output.contains("Oaks") && !shown.output.contains("Trees"), "\(shown)")
        try await pair.close()
    }

    @Test("A file that is no list, or has anything no room can have, lists nothing")
    func hostile() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        _ = try await EarshotProcess.run(["--home", home, "init", "--name", "A", "--no-passphrase"])
        let many = (0...256).map { Self.room((Self.id, String(repeating: "0", count: 29) + String(100 + $0))) }
        let files = [
            "", "{", "null", #"{"rooms":{}}"#, #"{"rooms":[1]}"#, String(repeating: "[", count: 100_000),
            Self.list([Self.room(("Trees", #"a\u202eb"#))]), Self.list([Self.room(("Trees", ""))]),
            Self.list([Self.room(), Self.room(("\"8\"", "9")), Self.room((":8", ":1"))]),
            Self.list([Self.room((":8", ":1e300"))]), Self.list([Self.room((Self.id, "0a"))]),
            Self.list([Self.room(("Fox", String(repeating: "x", count: 33)))]),
            Self.list([Self.room(("}", #","endsAt":"9999-01-01T00:00:00.000Z"}"#))]),
            Self.list([Self.room(("}", #","admission":"friends"}"#))]), Self.list(many),
            Self.list([Self.room()]) + String(repeating: " ", count: 1_048_576),
        ]
        for (index, text) in files.enumerated() {
            let file = folder.path("\(index).json")
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let run = try await EarshotProcess.run(["--home", home, "--json", "room", "import", file])
            #expect(run.status == 65 && run.output == "", "\(text.prefix(80)): \(run)")
        }
        let missing = try await EarshotProcess.run(["--home", home, "room", "import", folder.path("none")])
        #expect(missing.status == 65)
        let over = folder.path("over.json")
        let past = Self.list([Self.room(("}", #","endsAt":"2001-01-01T00:00:00.000Z"}"#)), Self.room()])
        try Data(past.utf8).write(to: URL(fileURLWithPath: over))
        let listed = try await EarshotProcess.run(["--home", home, "--json", "room", "import", over])
        #expect(listed.output == #"{"added":1}"# + "\n", "\(listed)")
    }
}
