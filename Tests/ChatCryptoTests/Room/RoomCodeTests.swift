import Testing

@testable import ChatCrypto

@Suite("Room codes and invites")
struct RoomCodeTests {
    @Test(
        "A code is read however people type it",
        arguments: ["47-482913", "47482913", " 47 482 913\n", "47\u{2013}482913", "4 7-4-8-2-9-1-3", "47\u{A0}482913"]
    )
    func typed(text: String) throws {
        let code = try #require(RoomCode(text))
        #expect(code.door == 47 && code.text == "47-482913")
    }

    @Test(
        "What is no code is not taken for one",
        arguments: [
            "", "482913", "47-48291", "47-4829133", "47-48291a", "47+482913", "٤٧-482913", "47-482913\0", "-",
            "４７-482913",
        ]
    )
    func notCodes(text: String) {
        #expect(RoomCode(text) == nil)
    }

    @Test("Codes have the room's door and all kinds of digits")
    func random() throws {
        let room = try #require(GroupID(bytes: [UInt8](0..<16)))
        let codes = (0..<200).map { _ in RoomCode(for: room) }
        for code in codes { #expect(code.door == RoomCode.door(of: room) && RoomCode(code.text)?.text == code.text) }
        #expect(Set(codes.map(\.text)).count > 190)
        #expect(Set(codes.map { $0.secret.exposed[0] }).count == 10)
    }

    @Test("Door, invite, lobby and beacon are the known ones")
    func knownAnswers() throws {
        let known = try VectorFile("room").cases[0]
        let room = try #require(GroupID(bytes: try known.bytes("group")))
        #expect(RoomCode.door(of: room) == (try known.number("door")))
        let invite = RoomInvite(for: room, key: SecretBytes(copying: try known.bytes("invite key")))
        #expect(invite.text == (try known.text("invite")))
        #expect(invite.lobby == (try known.bytes("invite lobby")))
        let beacon = RoomBeacon(
            of: room,
            by: try KnownPeople().bob,
            lobby: try known.bytes("lobby"),
            sequence: 7,
            remainingSeconds: 3_600,
            admission: .approval,
            isAdmissionClosed: false
        )
        #expect(beacon.bytes == (try known.bytes("beacon")) && beacon.bytes.count == RoomBeacon.byteCount)
        #expect(try RoomBeacon(verifying: beacon.bytes) == beacon)
    }

    @Test("An invite is read in either case and with white space around it")
    func invites() throws {
        let room = try #require(GroupID(bytes: randomBytes(16)))
        let invite = RoomInvite(for: room)
        for text in [invite.text, invite.text.uppercased(), " \(invite.text)\n"] {
            let read = try #require(RoomInvite(text))
            #expect(read.room == room && read.key.isEqual(to: invite.key))
        }
        let text = invite.text
        let wrong = [
            "", "earshot:room?", String(text.dropLast()), text + "0", text + "&", text.replacing("&key", with: "&kez"),
            text.replacing("room", with: "rooms"), "x" + text, String(text.dropLast()) + "g",
            String(repeating: text, count: 100),
        ]
        for text in wrong { #expect(RoomInvite(text) == nil, "\(text)") }
    }

    @Test("Damaged beacons, packets and texts are refused and never trap", arguments: [1, 2, 3] as [UInt64])
    func damage(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var doorway = try AdmissionPair()
        let beacon = try doorway.beacon()
        for _ in 0..<300 {
            #expect(RoomPacket(decoding: seeded.damaged(beacon.bytes)).map { $0.bytes == beacon.bytes } != true)
            #expect((try? RoomBeacon(verifying: seeded.damaged(beacon.bytes))) == nil)
            let junk = seeded.bytes(seeded.below(300))
            if let packet = RoomPacket(decoding: junk) { #expect(packet.bytes == junk) }
            _ = RoomInvite(
                String(decoding: seeded.damaged(Array(RoomInvite(for: beacon.room).text.utf8)), as: UTF8.self)
            )
            _ = RoomCode(String(decoding: seeded.bytes(8), as: UTF8.self))
        }
    }

    @Test("Of a room's beacons the newest counts, and only its own host's")
    func superseding() throws {
        var doorway = try AdmissionPair()
        let first = try doorway.beacon()
        let second = try doorway.beacon()
        let later = try doorway.beacon(at: AdmissionPair.now + 100)
        #expect(second.supersedes(first) && !first.supersedes(second) && later.supersedes(second))
        #expect(later.sequence == AdmissionPair.now + 100 && later.remainingSeconds == 3_600)
        let impostor = RoomBeacon(
            of: first.room,
            by: Identity(),
            lobby: randomBytes(16),
            sequence: .max,
            remainingSeconds: 0,
            admission: .code,
            isAdmissionClosed: false
        )
        #expect(!impostor.supersedes(later))
    }
}
