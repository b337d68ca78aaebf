import Foundation
import Testing

@testable import ChatCore
@testable import Earshot
@testable import EarshotRPC

/// The names that programs rely on: names may be added, but the listed ones do not change.
@Suite("Names of the interface")
struct InterfaceTests {
    @Test(
        "Each method is there, and takes these parameters",
        arguments: [
            ("status", []), ("contacts", []), ("safetyNumber", ["peer"]), ("verify", ["peer", "number"]),
            ("trust", ["peer", "action"]), ("contact.rename", ["peer", "name"]), ("conversations", []),
            ("send", ["to", "text", "files", "replyTo", "mentions", "expiresAfter"]), ("react", ["message", "emoji"]),
            ("edit", ["message", "text"]), ("delete", ["message", "forEveryone"]),
            ("markRead", ["conversation", "upTo"]), ("typing", ["to"]),
            ("poll.create", ["to", "question", "options", "multiple", "mayChange"]),
            ("poll.vote", ["poll", "options"]), ("poll.close", ["poll"]),
            ("history", ["conversation", "limit", "before"]), ("search", ["query", "conversation", "limit"]),
            ("media", ["message", "index"]),
            ("room.create", ["title", "expiresAfter", "admission", "maximumMembers"]),
            ("room.join", ["code", "name"]), ("room.approve", ["room", "joiner", "admit"]), ("room.leave", ["room"]),
            ("group.create", ["title", "members"]), ("group.add", ["group", "members"]),
            ("group.remove", ["group", "member"]), ("group.rename", ["group", "title"]),
            ("group.admin", ["group", "member", "admin"]),
            ("group.successor", ["group", "member"]), ("group.takeOver", ["group"]),
            ("group.handover", ["group", "member"]), ("group.leave", ["group"]),
            ("group.inviters", ["inviters"]), ("subscribe", ["events"]),
            ("ping", ["peer"]), ("map", []), ("metrics", []), ("lock", []), ("unlock", ["passphrase"]),
            ("delivery", ["setting"]),
            ("shutdown", []), ("hubs.reload", []), ("hubs", []), ("hubs.add", ["address"]),
            ("hubs.remove", ["address"]), ("follow", ["link", "addHubs"]), ("identity.invite", []),
            ("identity.endInvites", []),
        ] as [(String, [String])]
    )
    func methods(name: String, parameters: [String]) throws {
        let method = try #require(RPCMethods.named[name], "There is no method \(name).")
        #expect(Set(parameters).isSubset(of: method.parameterNames), "\(name): \(method.parameterNames)")
    }

    @Test("What is told of the node, contacts, conversations and messages has these fields")
    func fields() throws {
        try Self.expect(
            "id name fingerprint version uptime links neighbours contacts outbox carried locked",
            in: StatusReply(try Samples.status())
        )
        try Self.expect(
            "id name trust fingerprint reachable hops lastSeen",
            in: ContactReply(try Samples.contact())
        )
        let file = MessageFile(name: "a", type: "b/c", byteCount: 9, isComplete: true)
        var message = try Samples.message(files: [file])
        let conversation = Conversation(
            id: message.conversation,
            title: "Bob",
            members: [],
            unreadCount: 0,
            last: message,
            isRequest: false
        )
        try Self.expect("id kind title members unread last", in: ConversationReply(conversation))
        message.poll = PollState(poll: Poll("?", options: ["a", "b"]), votes: [[], []], isClosed: false)
        message.replyTo = Reply(id: message.id, original: nil)
        message.expiryTime = message.sentTime
        try Self.expect(
            """
            id conversation from fromName kind text poll files replyTo reactions mentions sentAt receivedAt expiresAt \
            edited deleted status outgoing
            """,
            in: MessageReply(message)
        )
    }

    private static func expect(_ names: String, in reply: some Encodable) throws {
        let json = try JSONSerialization.jsonObject(with: Data(try RPCCoding.encode(reply)))
        let missing = Set(names.split(separator: " ").map(String.init)).subtracting(
            (json as? [String: Any] ?? [:]).keys
        )
        #expect(missing.isEmpty, "\(type(of: reply)) lacks \(missing)")
    }

    @Test("A client can ask for each of these events")
    func events() {
        let names =
            "link.up link.down contact trust message status progress typing room assistant.token lagged".split(
                separator: " "
            )
        #expect(Set(names.map(String.init)).isSubset(of: RPCEvent.types))
    }

    @Test("Errors have their numbers, and their names in `data.code`")
    func errors() {
        let names = [
            -32700: "parseError", -32600: "invalidRequest", -32601: "methodNotFound", -32602: "invalidParams",
            -32603: "internalError", -32001: "notFound", -32002: "ambiguous", -32003: "refusedByTrust",
            -32004: "locked", -32005: "tooLarge", -32006: "numberMismatch", -32007: "notMember", -32008: "expired",
            -32009: "limited", -32010: "unavailable",
        ]
        let known = RPCError.Code.allCases.map { ($0.rawValue, RPCError($0, "").data?.code) }
        #expect(Dictionary(uniqueKeysWithValues: known) == names)
        #expect(RPCLimits.lineByteCount == 1_048_576)
    }
}
