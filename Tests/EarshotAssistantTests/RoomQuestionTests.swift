import Earshot
import Foundation
import Testing

@testable import EarshotAssistant

/// An assistant that has joined a room: real nodes with real sockets on the loopback interface.
@Suite("Assistant in a room", .serialized, .timeLimit(.minutes(30)))
struct RoomQuestionTests {
    private static let code = AccessRule(verified: false, code: "correct horse")

    @Test(
        "In a room that is entered by its code it answers who names it, who sees the answer grow there, and nobody else"
    )
    func codeRoom() async throws {
        try await AssistantScene.run("slow", "Alice", "Bob", verified: 0, adjust: { $0.access = Self.code }) { scene in
            let (alice, bob) = (scene.people[0], scene.people[1])
            let room = try await alice.node.rooms.create(RoomPlan(title: "Market", nickname: "Owl"))
            let credential = try #require(JoinCredential(room.admissionState?.code ?? ""))
            try await bob.node.rooms.join(credential, as: "Fox")
            let oracle = try await scene.oracle.node.rooms.join(credential).ownID
            try await bob.node.conversation(.room(room.id)).send("not for you")
            try await alice.first {
                if case .message(let message) = $0, message.text == "not for you" { () } else { nil }
            }
            let question = try await alice.node.conversation(.room(room.id)).send("@Oracle tell me")
            let seen = try await alice.first { event -> String? in
                guard case .streamingReply(.room(room.id), by: oracle, question.id, let text) = event else {
                    return nil
                }
                return text
            }
            #expect(seen.hasPrefix("begun  tell me "))
            // Only the asker can stop an answer.
            let other = try await bob.node.conversation(.room(room.id)).send("@Oracle /stop")
            #expect(try await bob.answer(to: other).text == "There is no answer to stop.")
            try await alice.node.conversation(.room(room.id)).send("@Oracle /stop")
            let answer = try await alice.answer(to: question)
            #expect(answer.text.hasPrefix(seen) && answer.text.hasSuffix("\n\n(Stopped.)"))
            #expect(answer.conversation == .room(room.id) && answer.sender == oracle)
            #expect(try await bob.answer(to: question).text == answer.text)
            #expect(try await scene.server.entries { $0.cut != nil }.count { $0.path != nil } == 1)
            for await line in scene.lines where line.hasPrefix("admitted") {
                #expect(line == "admitted: in a room that is entered by its code")
                break
            }
        }
    }

    @Test("In a room nobody is a contact: without a code as a rule, and where everybody enters, it answers nobody")
    func refused() async throws {
        let words = "I am an assistant and answer only people that my operator has chosen. Ask the operator."
        try await refuses(AccessRule(contacts: true), .code, words, "in a room, where nobody is a contact")
        let open = "I am an assistant. I answer in rooms that are entered by a code, not in open rooms."
        try await refuses(Self.code, .open, open, "in an open room")
    }

    private func refuses(
        _ rule: AccessRule,
        _ admission: RoomAdmission,
        _ words: String,
        _ reason: String
    ) async throws {
        try await AssistantScene.run("echo:1", "Alice", adjust: { $0.access = rule }) { scene in
            let alice = scene.people[0]
            let room = try await alice.node.rooms.create(RoomPlan(title: "Market", admission: admission))
            let credential = JoinCredential(room.admissionState?.code ?? "") ?? .open(room.id)
            #expect(try await scene.oracle.node.rooms.join(credential).admission == admission)
            let question = try await alice.node.conversation(.room(room.id)).send("@Oracle what now?")
            let answer = try await alice.answer(to: question)
            try #require(answer.text == words)
            for await line in scene.lines where line.hasPrefix("refused") {
                #expect(line == "refused: \(reason)")
                break
            }
            // Outside the room, the assistant answers a verified contact all the same.
            guard rule.admitsContacts else { return }
            let direct = try await alice.node.conversation(.direct(await scene.oracle.id)).send("and here?")
            #expect(try await alice.answer(to: direct).text == "and here? 0 ")
            #expect(try await scene.server.requests(1).count == 1)
        }
    }
}
