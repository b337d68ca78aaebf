import Testing

@testable import ChatCrypto

@Suite("Joining a room")
struct RoomJoinTests {
    @Test("Whoever has the code joins, and is in the group")
    func byCode() throws {
        var doorway = try AdmissionPair()
        var guests: [GroupSession] = []
        for _ in 0..<3 {
            let code = try #require(doorway.host.code)
            var guest = try NewMember(.code(try #require(RoomCode(code.text))))
            guard case .welcome(let welcome) = try doorway.join(&guest.joiner) else {
                Issue.record("the code is right")
                return
            }
            #expect(welcome.remainingSeconds == 3_600 && welcome.bundles == [doorway.bundle])
            let own = guest.identity.publicIdentity
            guests.append(try GroupSession.join(welcome, as: own, at: AdmissionPair.now).session)
        }
        #expect(doorway.host.failures == 0)
        #expect(doorway.group.log.members.map(\.nickname?.text) == [nil, "Guest", "Guest", "Guest"])
        let sealed = try doorway.group.seal([Array("hello".utf8)], by: doorway.identity, at: AdmissionPair.now)
        let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
        let opened = guests[2].open(packet, at: AdmissionPair.now)?.opening
        #expect(Heard(opened) == .text("hello", doorway.identity.id))
    }

    @Test("An invite lets in, with a shut door as well, until the user shuts it or makes another")
    func byInvite() throws {
        var doorway = try AdmissionPair()
        let text = try #require(doorway.host.invite).text
        func joins() throws -> Bool {
            var guest = try NewMember(.invite(try #require(RoomInvite(text))))
            return try doorway.join(&guest.joiner) != nil
        }
        #expect(try joins())
        for index in 0..<60 { _ = try doorway.guess(at: AdmissionPair.now + UInt32(index) * 5) }
        #expect(doorway.host.isAdmissionClosed)
        #expect(try joins())
        doorway.host.renewInvite()
        #expect(try !joins())
        doorway.host.closeAdmission()
        #expect(doorway.host.invite == nil && doorway.host.code == nil)
    }

    @Test("With approval a joiner waits, and the host's user decides")
    func approval() throws {
        var doorway = try AdmissionPair(.approval)
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        guard case .pending(doorway.bundle) = try doorway.join(&guest.joiner) else {
            Issue.record("it has to wait")
            return
        }
        #expect(doorway.host.pending.map(\.bundle.identity) == [guest.identity.publicIdentity])
        #expect(doorway.group.log.members.count == 1)
        let taken = doorway.host.takePending(guest.identity.id)
        let applicant = try #require(taken)
        #expect(applicant.bundle.nickname?.text == "Guest" && doorway.host.pending.isEmpty)
        #expect(doorway.host.takePending(guest.identity.id) == nil)
    }

    @Test("Sixteen may wait, and the same one once")
    func pendingLimit() throws {
        var doorway = try AdmissionPair(.approval)
        var first = try NewMember(.code(try #require(doorway.host.code)))
        for _ in 0..<2 { _ = try doorway.join(&first.joiner) }
        #expect(doorway.host.pending.count == 1)
        for _ in 1..<RoomLimits.maximumPending {
            var guest = try NewMember(.code(try #require(doorway.host.code)))
            _ = try doorway.join(&guest.joiner)
        }
        #expect(doorway.host.pending.count == RoomLimits.maximumPending)
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        guard case .full = try doorway.join(&guest.joiner) else {
            Issue.record("the list is full")
            return
        }
        #expect(doorway.host.pending.count == RoomLimits.maximumPending)
    }

    @Test("An open room takes everybody without a code, and counts nothing")
    func openRoom() throws {
        var doorway = try AdmissionPair(.open)
        #expect(doorway.host.code == nil && !doorway.host.isAdmissionClosed)
        for _ in 0..<RoomLimits.maximumFailures {
            var guest = try NewMember(.nothing)
            guard case .welcome = try doorway.join(&guest.joiner) else {
                Issue.record("everybody gets in")
                return
            }
        }
        #expect(doorway.host.failures == 0 && doorway.host.exhaustedCodes == 0)
        doorway.host.change(to: .code, at: AdmissionPair.now)
        #expect(doorway.host.code != nil)
        var late = try NewMember(.nothing)
        let beacon = try doorway.beacon()
        #expect(throws: CryptoError(.wrongRoom, "")) { try late.joiner.joinRequest(at: beacon) }
    }

    @Test("A full room says so")
    func fullRoom() throws {
        var doorway = try AdmissionPair()
        let policy = try #require(GroupPolicy(history: .none, memberLimit: 1, life: 0, isEphemeral: false))
        _ = try doorway.group.perform([.policy(policy)], at: AdmissionPair.now)
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        guard case .full = try doorway.join(&guest.joiner) else {
            Issue.record("there is no room")
            return
        }
    }

    @Test("A refused joiner is told")
    func rejected() throws {
        var doorway = try AdmissionPair()
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        let answer = try doorway.receive(try guest.joiner.joinRequest(at: try doorway.beacon())).reply
        guard case .send(let body) = guest.joiner.receive(try packet(answer)),
            case .request(let request) = RoomPacket(decoding: body)
        else {
            Issue.record("the code is right")
            return
        }
        let step = doorway.host.receive(request, hasCapacity: true, bundle: doorway.bundle, at: AdmissionPair.now)
        let applicant = try #require(step.applicant)
        let reply = doorway.host.refuse(applicant)
        #expect(doorway.host.refuse(applicant) == nil, "a key seals one reply")
        guard case .decided(.rejected, _) = guest.joiner.receive(try packet(reply)) else {
            Issue.record("it was refused")
            return
        }
    }

    @Test("Flights that are lost are sent again, answered alike, and count once")
    func repetition() throws {
        var doorway = try AdmissionPair()
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        let hello = try guest.joiner.joinRequest(at: try doorway.beacon())
        let answer = try doorway.answer(hello)
        #expect(guest.joiner.pendingMessage == hello)
        #expect(try doorway.receive(hello).reply == answer && doorway.host.failures == 1)
        guard case .send(let request) = guest.joiner.receive(try packet(answer)) else {
            Issue.record("the code is right")
            return
        }
        #expect(guest.joiner.pendingMessage == request)
        let reply = try doorway.answer(request)
        let again = try doorway.receive(request)
        #expect(again.reply == reply && again.applicant == nil && doorway.host.failures == 0)
        #expect(try doorway.receive(hello).reply == reply)
        guard case .decided(.welcome, _) = guest.joiner.receive(try packet(reply)) else {
            Issue.record("it is in")
            return
        }
        #expect(guest.joiner.pendingMessage == nil)
        #expect(try doorway.receive(request, at: AdmissionPair.now + RoomLimits.runLife).reply == nil)
    }

    @Test("Every flight fills a place whose size says nothing")
    func sizes() throws {
        var sizes: Set<[Int]> = []
        for nickname in [nil, "G", "a guest with a long nickname"] {
            var doorway = try AdmissionPair()
            var guest = try NewMember(.code(try #require(doorway.host.code)), nickname: nickname)
            let hello = try guest.joiner.joinRequest(at: try doorway.beacon())
            let answer = try doorway.answer(hello)
            guard case .send(let request) = guest.joiner.receive(try packet(answer)) else {
                return
            }
            let reply = try doorway.answer(request)
            sizes.insert([hello.count, answer.count, request.count + 4, reply.count + 4])
        }
        #expect(sizes == [[1_297, 1_233, 2_048, 2_048]])
    }

    @Test("Every bit of every flight matters, and the genuine one still works")
    func everyBit() throws {
        var doorway = try AdmissionPair()
        let code = try #require(doorway.host.code)
        var guest = try NewMember(.code(code))
        let hello = try guest.joiner.joinRequest(at: try doorway.beacon())
        let answer = try doorway.answer(hello)
        for bit in stride(from: 0, to: answer.count * 8, by: 7) {
            var joiner = guest.joiner
            guard let packet = RoomPacket(decoding: answer.flipped(bit: bit)) else { continue }
            if case .send = joiner.receive(packet) { Issue.record("bit \(bit) of the answer") }
        }
        guard case .send(let request) = guest.joiner.receive(try packet(answer)) else {
            Issue.record("the genuine answer is right")
            return
        }
        for bit in stride(from: 0, to: request.count * 8, by: 5) {
            var copy = doorway
            #expect(try copy.receive(request.flipped(bit: bit)).reply == nil, "bit \(bit) of the request")
        }
        let reply = try doorway.answer(request)
        for bit in stride(from: 0, to: reply.count * 8, by: 11) {
            var joiner = guest.joiner
            guard let packet = RoomPacket(decoding: reply.flipped(bit: bit)) else { continue }
            if case .decided = joiner.receive(packet) { Issue.record("bit \(bit) of the reply") }
        }
        guard case .decided(.welcome, _) = guest.joiner.receive(try packet(reply)) else {
            Issue.record("the genuine reply is right")
            return
        }
    }

    @Test("A room with 256 members fits its welcome into an envelope, and its state comes later")
    func largeRoom() throws {
        var doorway = try AdmissionPair()
        let members = try PublicMembers.make(254)
        for start in stride(from: 0, to: 254, by: 64) {
            let some = members[start..<min(254, start + 64)].map { GroupAction.add($0) }
            _ = try doorway.group.perform(some, at: AdmissionPair.now)
        }
        var guest = try NewMember(.code(try #require(doorway.host.code)))
        guard case .welcome(let welcome) = try doorway.join(&guest.joiner) else {
            Issue.record("the code is right")
            return
        }
        #expect(welcome.checkpoint == nil && welcome.bundles == [doorway.bundle])
        let own = guest.identity.publicIdentity
        #expect(throws: CryptoError(.invalidOperation, "")) {
            try GroupSession.join(welcome, as: own, at: AdmissionPair.now)
        }
        let state = try #require(doorway.group.checkpoint).encoded()
        #expect(throws: CryptoError(.malformed, "")) { try welcome.checkpoint(from: state.dropLast() + [1]) }
        let checkpoint = try welcome.checkpoint(from: state)
        let session = try GroupSession.join(welcome, checkpoint: checkpoint, as: own, at: AdmissionPair.now).session
        #expect(session.log.members.count == 256 && session.log.hash == doorway.group.log.hash)
    }
}

extension [UInt8] {
    /// Returns the bytes with one bit flipped.
    func flipped(bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
