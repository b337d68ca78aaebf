import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Codes for cameras, drawn by running commands", .enabled(if: ZBar.isInstalled, ZBar.need))
struct QRCommandTests {
    private static func draw(_ home: String, _ arguments: String...) async throws -> [String] {
        let run = try await EarshotProcess.run(["--home", home, "--quiet"] + arguments)
        try #require(run.status == 0, "\(run.errors)")
        return try ZBar.read(ZBar.lines(of: run.output))
    }

    @Test("A room's invite and id are drawn when it is made and later, and what the camera reads opens it")
    func rooms() async throws {
        let pair = try await ConversationCommandTests.Pair()
        let drawn = try await Self.draw(pair.bobHome, "room", "create", "Trees", "--qr")
        let listed = try await pair.bob("room", "list")
        let room = try #require(try RPCCoding.decode([RoomReply].self, from: Array(listed.output.utf8)).first)
        #expect(drawn == [room.invite?.uppercased()] && RoomInvite(drawn[0])?.text == room.invite)
        #expect(try await Self.draw(pair.bobHome, "room", "code", "Trees", "--qr") == drawn)
        let everybody = try await Self.draw(pair.bobHome, "room", "create", "Park", "--admission", "open", "--qr")
        let again = try await Self.draw(pair.bobHome, "room", "code", "Park", "--qr")
        #expect(everybody == again && everybody.map(\.count) == [32])
        let both = try await pair.bob("room", "code", "Trees", "--qr", "--shut")
        #expect(both.status == 64 && both.output == "", "\(both)")
        try await pair.close()
    }

    @Test("What one's camera reads from the other's screen verifies the other, and nothing else does")
    func fingerprints() async throws {
        let pair = try await ConversationCommandTests.Pair()
        let first = try await pair.aliceSends("Bob", "first", "--timeout", "60s")
        #expect(first.status == 0, "\(first)")
        let forAlice = try #require(try await Self.draw(pair.bobHome, "fingerprint", "Alice", "--qr").first)
        let forAll = try #require(try await Self.draw(pair.bobHome, "fingerprint", "--qr").first)
        let forBob = try #require(try await Self.draw(pair.aliceHome, "fingerprint", "Bob", "--qr").first)
        let code = try #require(IdentityCode(forAlice))
        #expect(IdentityCode(forAll) == IdentityCode(of: code.id) && forAll.allSatisfy { !$0.isLowercase })
        for (text, status) in [(forBob, 65), ("60 digits", 65), ("earshot:peer?id=12", 65)] as [(String, Int32)] {
            let wrong = try await pair.alice("verify", "Bob", "--qr", text)
            #expect(wrong.status == status && wrong.output == "", "\(wrong)")
        }
        for text in [forAlice, forAll] {
            let right = try await pair.alice("verify", "Bob", "--qr", text)
            #expect(right.status == 0 && right.output == #"{"trust":"verified"}"# + "\n", "\(right)")
        }
        let back = try await pair.bob("verify", "Alice", "--qr", forBob)
        #expect(back.status == 0, "\(back)")
        let both = try await pair.bob("verify", "Alice", "--qr", forBob, "--number", "1")
        #expect(both.status == 64 && both.output == "", "\(both)")
        try await pair.close()
    }
}
