import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// The executor of the chat's requests on a node.
struct ChatExecutor: Sendable {
    let caller: any RPCCaller
    /// The protocol that shows pictures; nil for none.
    let pictures: PictureProtocol?

    /// Carries out a request, and returns its outcome.
    func answer(_ request: ChatRequest) async -> ChatAnswer {
        do {
            return try await perform(request)
        } catch let error as RPCError where request.isUnlock && error.kind != .unavailable {
            return .wrongPassphrase(error.message)
        } catch {
            return .failed(CommandFailure(error))
        }
    }

    private func perform(_ request: ChatRequest) async throws -> ChatAnswer {
        switch request {
        case .refresh: return .known(try await people())
        case .open(let who), .catchUp(let who): return try await open(who)
        case .older(let conversation, let before):
            let page = HistoryCall(conversation: conversation, limit: ChatState.pageCount, before: before)
            return .older(try await caller.call(page))
        case .say, .file, .poll, .expire: return .sent(try await send(request))
        case .react, .closePoll, .vote, .edit, .delete, .markRead, .typing:
            try await change(request)
            return .done
        case .save(let message, let count, let folder): return try await save(message, count, folder)
        case .search(let words, let conversation):
            var search = SearchCall(words)
            (search.conversation, search.limit) = (conversation, ChatState.pageCount)
            return .found(try await caller.call(search))
        case .who: return .reported(try await who())
        case .safetyNumber(let who, let drawsCode): return try await safetyNumber(who, drawsCode: drawsCode)
        case .verify(let who, let number):
            let reply = try await caller.call(VerifyCall(peer: who, number: number))
            return .reported([StyledLine(" · The numbers match: \(TrustText.word(reply.trust)).", .good)])
        case .trust(let who, let action):
            let contact = try await caller.call(TrustCall(peer: who, action: action))
            return .reported([StyledLine(" · \(TrustText.sentence(contact))", .good)])
        case .name(let who, let name):
            let contact = try await caller.call(RenameContactCall(peer: who, name: name))
            return .reported([StyledLine(" · \(NameText.sentence(contact))", .good)])
        case .present:
            _ = try await caller.call(PresentCall())
            return .done
        case .rooms, .createRoom, .joinRoom, .answerApplicant, .leaveRoom: return try await room(request)
        case .picture(let message, let index):
            guard let pictures else { return .done }
            let copy = PictureCopy(caller: caller, pictures: pictures)
            return try await copy.bytes(of: message, index).map { .picture($0) } ?? .done
        case .lock:
            _ = try await caller.call(LockCall())
            return .done
        case .unlock(let passphrase):
            _ = try await caller.call(UnlockCall(passphrase: passphrase))
            return .unlocked
        }
    }

    /// Sends a new message, and returns its id.
    private func send(_ request: ChatRequest) async throws -> String {
        switch request {
        case .say(let text, let conversation, let original):
            var options = SendCall.Options()
            options.replyTo = original
            return try await caller.call(SendCall(to: conversation, text: text, options)).message
        case .file(let path, let text, let conversation): return try await send(path, text, to: conversation)
        case .poll(let question, let options, let conversation):
            return try await caller.call(PollCreateCall(to: conversation, question: question, options: options)).message
        case .expire(let conversation, let seconds):
            return try await caller.call(TimerCall(conversation: conversation, expiresAfter: seconds)).message
        default: return ""
        }
    }

    private func change(_ request: ChatRequest) async throws {
        switch request {
        case .react(let message, let emoji): _ = try await caller.call(ReactCall(message: message, emoji: emoji))
        case .closePoll(let poll): _ = try await caller.call(PollCloseCall(poll: poll))
        case .vote(let poll, let options): _ = try await caller.call(PollVoteCall(poll: poll, options: options))
        case .edit(let message, let text): _ = try await caller.call(EditCall(message: message, text: text))
        case .delete(let message, let forEveryone):
            _ = try await caller.call(DeleteCall(message: message, forEveryone: forEveryone))
        case .markRead(let conversation): _ = try await caller.call(MarkReadCall(conversation: conversation))
        case .typing(let conversation): _ = try await caller.call(TypingCall(to: conversation))
        default: break
        }
    }

    // MARK: Conversations

    private func people() async throws -> ChatPeople {
        ChatPeople(
            own: try await caller.call(StatusCall()).id,
            contacts: Dictionary(try await caller.call(ContactsCall()).map { ($0.id, $0) }) { $1 },
            conversations: Dictionary(try await caller.call(ConversationsCall()).map { ($0.id, $0) }) { $1 }
        )
    }

    private func open(_ who: String) async throws -> ChatAnswer {
        let people = try await people()
        let place = try await place(who, people)
        let limit = max(
            ChatState.pageCount,
            min(people.conversations[place.id]?.unread ?? 0, RPCLimits.historyPageCount)
        )
        return .opened(place, try await caller.call(HistoryCall(conversation: place.id, limit: limit)), people)
    }

    /// Finds the conversation that a user names; a group or room also by its title alone, unless a contact has that
    /// name.
    private func place(_ who: String, _ people: ChatPeople) async throws -> ChatConversation {
        let (kind, title) = Self.kind(of: who)
        // A contact comes first: a peer can invite the user into a group or room with a contact's name, and must not
        // get the messages for that contact.
        if kind == nil, let friend = try await person(who, people) { return friend }
        if kind != "group" {
            let rooms = try await caller.call(RoomsCall()).filter { $0.standing != "left" }
                .named(title, id: \.id, name: \.title)
            if let room = try Self.only(rooms, named: who, isNeeded: kind == "room") { return ChatConversation(room) }
        }
        if kind != "room" {
            let groups = try await caller.call(GroupsCall()).named(title, id: \.id, name: \.title)
            if let group = try Self.only(groups, named: who, isNeeded: kind == "group") {
                return ChatConversation(group, own: people.own)
            }
        }
        throw CommandFailure(
            .badData,
            "Nothing is called '\(DisplayText.safe(who))'. /who lists people and conversations."
        )
    }

    /// Finds the conversation with a peer; nil if no peer has this name.
    ///
    /// - Throws: If several peers have it.
    private func person(_ who: String, _ people: ChatPeople) async throws -> ChatConversation? {
        let peer: String
        do {
            peer = try await caller.call(SafetyNumberCall(peer: who)).peer
        } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
        let name = people.contacts[peer]?.name ?? String(peer.prefix(8))
        return ChatConversation(id: peer, kind: "direct", title: name, own: people.own, members: [peer: name])
    }

    private static func kind(of who: String) -> (kind: String?, title: String) {
        for kind in ["group", "room"] where who.hasPrefix(kind + ":") {
            return (kind, String(who.dropFirst(kind.count + 1)))
        }
        return (nil, who)
    }

    private static func only<Element>(_ fits: [Element], named who: String, isNeeded: Bool) throws -> Element? {
        let name = DisplayText.safe(who)
        guard fits.count < 2 else { throw CommandFailure(.badData, "Several are called '\(name)': use an id.") }
        guard isNeeded, fits.isEmpty else { return fits.first }
        throw CommandFailure(.badData, "Nothing is called '\(name)'. /who lists people and conversations.")
    }

    private func who() async throws -> [StyledLine] {
        let people = try await people()
        let contacts = people.contacts.values.sorted {
            ($0.reachable ? 0 : 1, $0.name) < ($1.reachable ? 0 : 1, $1.name)
        }
        var lines = ContactTable.lines(contacts).map { StyledLine($0) }
        var table = Table(["CONVERSATION", "UNREAD", ""])
        for conversation in people.conversations.values.sorted(by: { $0.title < $1.title }) {
            let name = conversation.kind == "direct" ? conversation.title : "\(conversation.kind):\(conversation.title)"
            table.add(name, "\(conversation.unread)", conversation.request ? "request" : "")
        }
        if !table.rows.isEmpty { lines += [StyledLine("")] + table.lines.map { StyledLine($0) } }
        return lines
    }

    private func safetyNumber(_ who: String, drawsCode: Bool) async throws -> ChatAnswer {
        let pair = try await caller.call(SafetyNumberCall(peer: who))
        let contact = try await caller.call(ContactsCall()).first { $0.id == pair.peer }
        let name = DisplayText.safe(contact?.name ?? who)
        let code = drawsCode ? PeerID(hex: try await caller.call(StatusCall()).id).map { IdentityCode(of: $0) } : nil
        return .reported(
            [
                StyledLine(" · The safety number of you and \(name), \(TrustText.word(contact?.trust ?? "unknown")):"),
                StyledLine(
                    [Span("   "), Span(SafetyNumberText.grouped(pair.number), .bold)],
                    continuation: [Span("   ")]
                ),
                StyledLine(
                    [
                        Span(
                            """
                               Ask \(name) to read theirs out in a way that nobody can fake, and type: /verify \
                            \(name) NUMBER
                            """,
                            .dim
                        )
                    ],
                    continuation: [Span("   ")]
                ),
            ] + (code.map(Self.drawn) ?? [])
        )
    }

    /// Draws the user's own identity for a camera.
    ///
    /// The code is the one for any peer: a code for one peer takes more rows than a terminal of 24 has.
    private static func drawn(_ code: IdentityCode) -> [StyledLine] {
        let rows = QRText.lines(code.text.uppercased(), coloured: false)
        return [StyledLine("   Or let them scan your code, for `verify --qr` on their side:", .dim)]
            + rows.map { StyledLine($0, .camera) }
    }

    // MARK: Files

    private func send(_ path: String, _ text: String, to conversation: String) async throws -> String {
        let full = NSString(string: path).expandingTildeInPath
        let file = URL(filePath: full).absoluteURL.path
        let isPicture = MediaLimits.imageTypes.contains(FileDraft(URL(filePath: file)).type)
        let call = SendCall(
            to: conversation,
            text: text,
            files: isPicture ? [] : [file],
            images: isPicture ? [file] : []
        )
        return try await caller.call(call).message
    }

    private func save(_ message: String, _ count: Int, _ folder: String?) async throws -> ChatAnswer {
        let place = URL(filePath: folder.map { NSString(string: $0).expandingTildeInPath } ?? ".").absoluteURL.path
        var lines: [StyledLine] = []
        for index in 0..<count {
            do throws(RPCError) {
                let copy = try await caller.call(MediaCall(message: message, index: index, folder: place))
                lines.append(StyledLine(" · Saved \(DisplayText.safe(copy.path)).", .good))
            } catch {
                // A file that is not here is requested; a later event reports its arrival.
                do throws(RPCError) {
                    _ = try await caller.call(FetchMediaCall(message: message, index: index))
                    lines.append(
                        StyledLine(
                            " · An attachment is not here yet. It comes while a node that has it is in reach.",
                            .warning
                        )
                    )
                } catch let refusal {
                    lines.append(StyledLine("✗ \(error.code == refusal.code ? error.message : refusal.message)", .bad))
                }
            }
        }
        return .reported(lines)
    }

    // MARK: Rooms

    private func room(_ request: ChatRequest) async throws -> ChatAnswer {
        switch request {
        case .createRoom(let title, let seconds):
            var plan = RoomPlan(title: title, nickname: nil)
            if let seconds { plan.expiresAfter = .seconds(Int64(seconds)) }
            let made = try await caller.call(CreateRoomCall(plan))
            let line = StyledLine(
                " · Share the code \(made.code ?? made.room). /dm room:\(title) opens the room.",
                .good
            )
            return .reported([line])
        case .joinRoom(let code, let name):
            let room = try await caller.call(JoinRoomCall(code: code, name: name))
            let title = DisplayText.safe(room.title)
            let isIn = room.standing != "waiting"
            let text =
                isIn
                ? "You are in \(title): /dm room:\(title)"
                : "You have asked to join \(title). Wait until the host lets you in."
            return .reported([StyledLine(" · \(text)", .good)])
        case .answerApplicant(let room, let name, let admits):
            _ = try await caller.call(ApproveCall(room: room, joiner: name, admit: admits))
            return .done
        case .leaveRoom(let title):
            _ = try await caller.call(LeaveRoomCall(room: title))
            return .reported([StyledLine(" · The room is deleted on this node.", .good)])
        default:
            let rooms = try await caller.call(RoomsCall())
            return .reported(RoomTable.lines(rooms).map { StyledLine($0) })
        }
    }
}

extension ChatRequest {
    fileprivate var isUnlock: Bool {
        if case .unlock = self { return true }
        return false
    }
}

extension ChatConversation {
    fileprivate init(_ room: RoomReply) {
        let others = room.members.filter { $0.id != room.own }
        self.init(
            id: room.id,
            kind: "room",
            title: room.title,
            own: room.own ?? "",
            members: Dictionary(others.map { ($0.id, $0.name) }) { $1 }
        )
    }

    fileprivate init(_ group: GroupReply, own: String) {
        let others = group.members.filter { $0.id != own }
        self.init(
            id: group.id,
            kind: "group",
            title: group.title,
            own: own,
            members: Dictionary(others.map { ($0.id, $0.name) }) { $1 }
        )
    }
}
