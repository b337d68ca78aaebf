import Foundation
import Testing

/// An assistant that receives pictures, as users run it, with a model server as a separate process.
@Suite("Assistant that sees", .serialized, .timeLimit(.minutes(30)))
struct VisionCommandTests {
    /// A script that writes pictures: one of a dot, and one of noise that is too large to travel with its message.
    private static let painter = """
        import os, struct, sys, zlib
        def part(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for name, edge in (("dot", 1), ("noise", 400)):
            rows = b"".join(b"\\0" + os.urandom(edge * 3) for _ in range(edge))
            head = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
            with open(os.path.join(sys.argv[1], name + ".png"), "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))
        """

    @Test("With --vision the model is given the pictures of a message to it, and in a group of one that names it")
    func vision() async throws {
        let folder = try TemporaryFolder()
        let painted = try Command.run([TestPython.path, "-c", Self.painter, folder.url.path])
        try #require(painted.status == 0, "\(painted.errors)")
        let codeFile = folder.url.appending(path: "code")
        try Data("correct horse\n".utf8).write(to: codeFile)
        let place = NodeProcess.loopback()
        let alice = try NodeProcess("Alice", home: try folder.home("Alice"), place)
        _ = try await alice.ready()
        let oracle = try await AssistantProcess(
            model: "echo:1",
            home: try folder.home("Oracle"),
            ["--vision", "--allow", "code", "--code-file", codeFile.path] + place
        )
        defer { oracle.stop() }
        let id = try await alice.hears(of: "Oracle")
        try await alice.send("correct horse", to: id)
        _ = try await alice.event("a welcome") { $0["message"]?["text"]?.string?.hasPrefix("Welcome.") == true }

        try await Self.ask("what is this?", "dot", folder, alice, id)
        _ = try await alice.message("what is this? 0 ")
        try await Self.expect(oracle.server, "what is this?", ["dot"], folder)
        try await Self.ask("and that?", "noise", folder, alice, id)
        _ = try await alice.message("and that? 0 ")
        try await Self.expect(oracle.server, "and that?", ["noise"], folder)

        let created = try await alice.call(
            "group.create",
            ["title": .string("Desk"), "members": .array([.string(id)])]
        )
        let desk = try #require(created["id"]?.string)
        _ = try await alice.event("somebody joined") { $0["message"]?["system"]?["event"]?.string == "added" }
        try await Self.ask("@Oracle and here?", "dot", folder, alice, desk)
        _ = try await alice.message(" and here? 0 ")
        try await Self.expect(oracle.server, " and here?", ["dot"], folder)
        await alice.stop()
    }

    private static func ask(
        _ text: String,
        _ picture: String,
        _ folder: TemporaryFolder,
        _ alice: NodeProcess,
        _ whom: String
    ) async throws {
        let file = JSONValue.string(folder.url.appending(path: "\(picture).png").path)
        try await alice.call("send", ["to": .string(whom), "text": .string(text), "images": .array([file])])
    }

    /// Reads the next request and checks that its last message holds the text and the pictures as PNGs.
    private static func expect(
        _ server: LineProcess,
        _ text: String,
        _ pictures: [String],
        _ folder: TemporaryFolder
    ) async throws {
        let line = try #require(await server.next())
        let request = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
        let messages = request["body"]?["messages"]?.array ?? []
        let parts = messages.last?["content"]?.array ?? []
        #expect(parts.first == .object(["type": .string("text"), "text": .string(text)]))
        #expect(parts.count == 1 + pictures.count)
        for (part, name) in zip(parts.dropFirst(), pictures) {
            #expect(part["type"]?.string == "image_url")
            let address = try #require(part["image_url"]?["url"]?.string)
            let start = "data:image/png;base64,"
            #expect(address.hasPrefix(start))
            let bytes = try #require(Data(base64Encoded: String(address.dropFirst(start.count))))
            let given = try Data(contentsOf: folder.url.appending(path: "\(name).png"))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > given.count / 2)
        }
        // Earlier pictures appear in words only.
        #expect(messages.dropLast().allSatisfy { $0["content"]?.string != nil })
    }
}
