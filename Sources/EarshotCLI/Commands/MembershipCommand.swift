import ArgumentParser
import ChatCrypto
import EarshotRPC

/// A command that changes one group or room and shows it; `group` and `room` share it.
protocol MembershipChange: ConsoleCommand {
    associatedtype Call: RPCMethod where Call.Reply: MembershipReply
    /// The call to make.
    var call: Call { get }
    /// Makes the line for the user.
    ///
    /// - Parameter others: The names of the other members, as one text; empty for none.
    func line(_ reply: Call.Reply, others: String) -> String
}

extension MembershipChange {
    func line(_ reply: Call.Reply, others: String) -> String { reply.line }

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let reply = try await caller.call(call)
            let others = console.isJSON ? "" : try await reply.others(on: caller)
            try console.result(reply, [line(reply, others: others)])
            if try await reply.isProposal(on: caller) {
                console.note("You are an admin. The owner's node makes the change as soon as it hears of it.")
            }
            if Call.Reply.leavesLater, caller is LocalCaller {
                console.note("The change is sent as soon as a node runs in this data directory.")
            }
        }
    }
}

/// A group or room as the commands print it.
protocol MembershipReply: Encodable {
    var title: String { get }
    /// The membership status of this node.
    var state: String { get }
    /// The names of all members.
    var names: [String] { get }
    /// The ids and names of all members.
    var people: [(id: String, name: String)] { get }
    /// Returns the id of this node among the members.
    func ownID(on caller: any RPCCaller) async throws -> String?
    /// Whether this node has proposed the change as an admin.
    func isProposal(on caller: any RPCCaller) async throws -> Bool
    /// Whether the user is told that a change is sent as soon as a node runs.
    static var leavesLater: Bool { get }
}

extension MembershipReply {
    /// The group or room in one line.
    var line: String {
        "\(DisplayText.safe(title)), \(state): \(names.map { DisplayText.safe($0) }.joined(separator: ", "))."
    }

    /// The title in quotation marks.
    var quotedTitle: String { "\"\(DisplayText.safe(title))\"" }

    /// Returns the names of the other members as one text.
    func others(on caller: any RPCCaller) async throws -> String {
        let own = try await ownID(on: caller)
        return Self.list(people.filter { $0.id != own }.map { DisplayText.safe($0.name) })
    }

    /// Joins names by commas and a last "and".
    static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension GroupReply: MembershipReply {
    var state: String { frozen ? "\(standing), frozen" : standing }
    var names: [String] {
        members.map { member in
            let roles = (member.admin ? ["admin"] : []) + (member.id == successor ? ["successor"] : [])
            return roles.isEmpty ? member.name : "\(member.name) (\(roles.joined(separator: ", ")))"
        }
    }
    var people: [(id: String, name: String)] { members.map { ($0.id, $0.name) } }
    static var leavesLater: Bool { false }

    func ownID(on caller: any RPCCaller) async throws -> String? { try await caller.call(StatusCall()).id }

    func isProposal(on caller: any RPCCaller) async throws -> Bool {
        guard members.contains(where: \.admin) else { return false }
        let own = try await caller.call(StatusCall()).id
        return owner != own && members.contains { $0.id == own && $0.admin }
    }
}

extension RoomReply: MembershipReply {
    var state: String { standing }
    var names: [String] { members.map(\.name) }
    var people: [(id: String, name: String)] { members.map { ($0.id, $0.name) } }
    static var leavesLater: Bool { true }

    func ownID(on caller: any RPCCaller) async throws -> String? { own }

    func isProposal(on caller: any RPCCaller) async throws -> Bool { false }
}

/// The option for the earlier messages that new members receive.
struct HistoryOption: ParsableArguments {
    @Option(help: "The earlier messages that new members can read: none, last:N or all.")
    var history = "none"

    func validate() throws { try Self.check(history) }

    /// Checks the value of the option.
    ///
    /// - Throws: `ValidationError` for a text that is no such value.
    static func check(_ history: String) throws {
        guard GroupPolicy.History(history) != nil else {
            throw ValidationError("The history for new members is none, last:N with N from 1 to 65535, or all.")
        }
    }
}

/// The arguments that name a group and one of its members.
struct GroupMemberArguments: ParsableArguments {
    @Argument(help: "The group's title, id or the beginning of it.") var group: String
    @Argument(help: "A name in the group, a peer id or the beginning of one.") var member: String
}
