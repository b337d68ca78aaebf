import Testing

@testable import ChatCrypto

@Suite("Groups in any order")
struct GroupPropertyTests {
    /// A packet with its text, its speaker and the members at the time of sealing.
    private struct Said {
        let packet: InboundPacket
        let text: String
        let speaker: PeerID
        let members: Set<PeerID>
    }

    @Test(
        "Under any order, loss and repetition members know the same, read each text once, and outsiders none",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func schedules(seed: UInt64) throws {
        var seeded = SeededBytes(seed: seed)
        var circle = try Circle(5)
        let people = circle.sessions.map(\.own.id)
        // The updates and keys in transit to each member, by the member's index in the circle.
        var updates: [[GroupUpdate]] = Array(repeating: [], count: 5)
        var keys: [[(SenderKeyMessage, PeerID)]] = Array(repeating: [], count: 5)
        var said: [Said] = []
        var heard: [[String: Int]] = Array(repeating: [:], count: 5)
        for step in 0..<150 {
            switch seeded.below(8) {
            case 0:
                let action = Self.action(of: circle.sessions[0], &seeded)
                let update = try circle.sessions[0].perform(action, at: Circle.now).update
                for index in 1..<5 { updates[index].append(update) }
            case 1, 2:
                let speaker = seeded.below(5)
                guard circle.sessions[speaker].isMember else { continue }
                let members = Set(circle.sessions[speaker].log.members.map(\.identity.id))
                let sealed = try circle.sessions[speaker].seal(Array("\(step)".utf8), at: Circle.now)
                for member in circle.sessions[speaker].recipients {
                    let index = people.firstIndex(of: member.identity.id)
                    if let key = sealed.newKey, let index { keys[index].append((key, people[speaker])) }
                }
                let packet = InboundPacket(kind: .sealed, body: sealed.message.body)
                said.append(Said(packet: packet, text: "\(step)", speaker: people[speaker], members: members))
            case 3:
                let index = seeded.below(5)
                guard !updates[index].isEmpty else { continue }
                let update = updates[index][seeded.below(updates[index].count)]
                _ = circle.sessions[index].apply(update, at: Circle.now)
            case 4:
                let index = seeded.below(5)
                guard !keys[index].isEmpty else { continue }
                let (key, maker) = keys[index][seeded.below(keys[index].count)]
                _ = circle.sessions[index].accept(key, from: maker, at: Circle.now)
            default:
                guard !said.isEmpty else { continue }
                Self.hear(said[seeded.below(said.count)], by: seeded.below(5), &circle, &heard)
            }
        }
        for index in 0..<5 {
            for update in updates[index] { _ = circle.sessions[index].apply(update, at: Circle.now) }
            for (key, maker) in keys[index] {
                _ = circle.sessions[index].accept(key, from: maker, at: Circle.now)
            }
            for message in said { Self.hear(message, by: index, &circle, &heard) }
        }
        Self.check(circle, people, said, heard)
    }

    /// Picks an action that the owner may perform.
    private static func action(of owner: GroupSession, _ seeded: inout SeededBytes) -> GroupOperation.Action {
        let members = owner.log.members.dropFirst()
        let isRemoval = seeded.below(4) == 0 && members.count > 2
        let index = members.startIndex + seeded.below(members.count)
        return isRemoval ? .remove(members[index].identity.id) : [.renew, .policy(.standard)][seeded.below(2)]
    }

    /// Checks that the remaining members have the same log, and have read each text of the others once.
    private static func check(_ circle: Circle, _ people: [PeerID], _ said: [Said], _ heard: [[String: Int]]) {
        let remaining = circle.sessions.filter(\.isMember)
        #expect(remaining.allSatisfy { $0.log.hash == circle.sessions[0].log.hash })
        #expect(heard.allSatisfy { $0.values.allSatisfy { $0 == 1 } })
        let members = Set(remaining.map(\.own.id))
        for message in said where members.contains(message.speaker) {
            for index in 0..<5 where members.contains(people[index]) && people[index] != message.speaker {
                #expect(heard[index][message.text] == 1, "\(message.text) by \(index)")
            }
        }
    }

    private static func hear(_ said: Said, by index: Int, _ circle: inout Circle, _ heard: inout [[String: Int]]) {
        let listener = circle.sessions[index].own.id
        switch circle.hear(said.packet, by: index) {
        case .text(let text, let speaker):
            #expect(text == said.text && speaker == said.speaker && listener != speaker)
            #expect(said.members.contains(listener), "only who was in when it was sealed")
            heard[index][text, default: 0] += 1
        case .equivocation: Issue.record("nobody is dishonest here")
        case .nothing, .needsKey, .refused: break
        }
    }
}
