import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Twenty seeds with fifty schedules each: a thousand schedules of each type.
@Suite("Content merges in any order, repetition and delay")
struct MergeTests {
    static let seeds = 1...20 as ClosedRange<UInt64>
    private static let scheduleCount = 50
    private static let quick = ["👍", "❤️", "😂", "😮", "😢", "🙏", "🦊", "🐙", "🎉", "1️⃣"]

    private func schedules(_ seed: UInt64, _ body: (inout SplitMix64, String) -> Void) {
        var random = SplitMix64(seed: seed)
        for schedule in 0..<Self.scheduleCount { body(&random, "seed \(seed), schedule \(schedule)") }
    }

    @Test("Reactions", arguments: seeds)
    func reactions(seed: UInt64) {
        typealias Operation = (member: PeerID, reaction: ReactionSet.Reaction)
        let replicas = Replicas<ReactionSet, Operation>(
            empty: ReactionSet(),
            apply: { $0.insert($1.reaction, by: $1.member) },
            merge: { $0.merge($1) }
        )
        schedules(seed) { random, hint in
            let operations = (0..<40).map { number -> Operation in
                let revision = Revision(UInt32.random(in: 1...12, using: &random), Numbered.message(number))
                let emoji = Self.quick.randomElement(using: &random) ?? "👍"
                let reaction = ReactionSet.Reaction(emoji, isOn: Bool.random(using: &random), revision)
                return (Numbered.peer(Int.random(in: 0..<3, using: &random)), reaction)
            }
            let state = replicas.check(operations, &random, hint)
            #expect(state.byMember.values.allSatisfy { $0.count <= ContentLimits.reactionCount })
        }
    }

    @Test("Edits", arguments: seeds)
    func edits(seed: UInt64) {
        let replicas = Replicas<EditHistory, EditHistory.Edit>(
            empty: EditHistory(),
            apply: { $0.insert($1) },
            merge: { $0.merge($1) }
        )
        schedules(seed) { random, hint in
            let edits = (0..<Int.random(in: 0...30, using: &random)).map { number in
                let revision = Revision(UInt32.random(in: 1...20, using: &random), Numbered.message(number))
                return EditHistory.Edit("\(number)", sentAt: UInt64(number), revision)
            }
            let state = replicas.check(edits, &random, hint)
            #expect(state.edits.last?.revision == edits.map(\.revision).max(), "\(hint)")
            #expect(state.edits.count == min(edits.count, ContentLimits.editCount), "\(hint)")
        }
    }

    private enum BallotOperation {
        case vote(Ballots.Vote, by: PeerID)
        case close(Ballots.Close)
    }

    @Test("Votes and the end of a poll", arguments: seeds)
    func ballots(seed: UInt64) {
        let replicas = Replicas<Ballots, BallotOperation>(
            empty: Ballots(),
            apply: { ballots, operation in
                switch operation {
                case .vote(let vote, let member): ballots.insert(vote, by: member)
                case .close(let close): ballots.end(close)
                }
            },
            merge: { $0.merge($1) }
        )
        schedules(seed) { random, hint in
            var votes: [MessageID] = []
            var operations = (0..<30).map { number -> BallotOperation in
                let id = Numbered.message(number)
                votes.append(id)
                let limit = UInt32(ContentLimits.voteCount)
                let revision = Revision(UInt32.random(in: 1...limit, using: &random), id)
                let vote = Ballots.Vote(UInt32.random(in: 0..<16, using: &random), revision)
                return .vote(vote, by: Numbered.peer(Int.random(in: 0..<4, using: &random)))
            }
            for number in 0..<Int.random(in: 0...2, using: &random) {
                let counted = Set(votes.filter { _ in Bool.random(using: &random) })
                operations.append(.close(Ballots.Close(Numbered.message(1_000 - number), counting: counted)))
            }
            let state = replicas.check(operations, &random, hint)
            let poll = Poll("?", options: ["a", "b", "c", "d"], allowsSeveral: true)
            let counted = state.close?.counted
            for member in state.byMember.keys {
                let vote = state.counted(of: member, in: poll)
                #expect(vote.map { counted?.contains($0.revision.id) ?? true } ?? true, "\(hint)")
            }
        }
    }

    @Test("The conversation's timer", arguments: seeds)
    func timers(seed: UInt64) {
        let replicas = Replicas<DisappearingTimer, DisappearingTimer>(
            empty: DisappearingTimer(),
            apply: { $0.merge($1) },
            merge: { $0.merge($1) }
        )
        schedules(seed) { random, hint in
            let settings = (0..<Int.random(in: 0...10, using: &random)).map { number in
                let revision = Revision(UInt32.random(in: 1...4, using: &random), Numbered.message(number))
                return DisappearingTimer(seconds: UInt32.random(in: 0...60, using: &random), revision)
            }
            let state = replicas.check(settings, &random, hint)
            #expect(state.revision == settings.compactMap(\.revision).max(), "\(hint)")
        }
    }

    @Test("Delivered and read marks", arguments: seeds)
    func marks(seed: UInt64) {
        let all: [DeliveryStatus] = [
            .queued, .sent, .carried, .delivered, .read, .failed(.expired), .failed(.refusedByTrust),
        ]
        let replicas = Replicas<DeliveryStatus, DeliveryStatus>(
            empty: .queued,
            apply: { $0.merge($1) },
            merge: { $0.merge($1) }
        )
        schedules(seed) { random, hint in
            let reports = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                all.randomElement(using: &random)
            }
            replicas.check(reports, &random, hint)
        }
    }

    @Test("What is refused says why, and changes nothing")
    func refusals() {
        let (author, other) = (Numbered.peer(0), Numbered.peer(1))
        let poll = Poll("?", options: ["a", "b"])
        let react = MessageChange.react("👍", isOn: true, number: 1)
        let edit = MessageChange.edit("x", mentions: [], number: 1)
        let vote = MessageChange.vote(0b10, number: 1)
        let table: [(ChangeTarget.Kind, PeerID, MessageChange, isMember: Bool, ChangeRefusal?)] = [
            (.text, other, react, true, nil), (.text, other, react, false, .notMember),
            (.text, author, edit, true, nil), (.text, author, edit, false, .notMember),
            (.text, other, edit, true, .notAuthor), (.poll(poll), author, edit, true, .notText),
            (.other, author, edit, true, .notText), (.text, other, .delete, true, .notAuthor),
            (.poll(poll), other, vote, true, nil), (.poll(poll), other, vote, false, .notMember),
            (.text, other, vote, true, .notPoll), (.poll(poll), other, .vote(0b100, number: 1), true, .noSuchOption),
            (.poll(poll), other, .vote(.max, number: 1), true, .noSuchOption),
            (.poll(poll), other, .vote(0b11, number: 1), true, .tooManyOptions),
            (.poll(poll), other, .close(counting: []), true, .notAuthor),
            (.text, author, .close(counting: []), true, .notPoll),
            (.poll(poll), author, .close(counting: []), true, nil),
        ]
        for (kind, member, change, isMember, refusal) in table {
            var state = MessageChanges()
            let operation = ChangeOperation(
                id: Numbered.message(1),
                author: member,
                target: Numbered.message(2),
                sentAt: 0,
                change
            )
            let target = ChangeTarget(author: author, kind)
            let answer = state.apply(operation, to: target, isMember: isMember)
            #expect(answer == refusal, "\(operation)")
            #expect(state.isEmpty == (refusal != nil), "\(operation)")
        }
    }

    @Test("Everything that becomes of a text or a poll, refused changes included", arguments: seeds)
    func changes(seed: UInt64) {
        let poll = Poll(
            "?",
            options: ["a", "b", "c"],
            allowsSeveral: seed.isMultiple(of: 2),
            allowsChange: seed % 3 > 0
        )
        for kind in [ChangeTarget.Kind.text, .poll(poll), .other] {
            let target = ChangeTarget(author: Numbered.peer(0), kind)
            let replicas = Replicas<MessageChanges, (operation: ChangeOperation, isMember: Bool)>(
                empty: MessageChanges(),
                apply: { _ = $0.apply($1.operation, to: target, isMember: $1.isMember) },
                merge: { $0.merge($1) }
            )
            schedules(seed) { random, hint in
                let operations = (0..<Int.random(in: 1...40, using: &random)).map { number in
                    (Self.operation(number, &random), Int.random(in: 0..<10, using: &random) > 0)
                }
                replicas.check(operations, &random, hint)
            }
        }
    }

    private static func operation(_ number: Int, _ random: inout SplitMix64) -> ChangeOperation {
        let revision = UInt32.random(in: 1...8, using: &random)
        let change: MessageChange =
            switch Int.random(in: 0..<40, using: &random) {
            case 0: .delete
            case 1..<4: .close(counting: (0..<40).filter { _ in Bool.random(using: &random) }.map(Numbered.message))
            case 4..<14: .vote(UInt32.random(in: 0..<16, using: &random), number: revision)
            case 14..<24: .edit("\(number)", mentions: [], number: revision)
            default:
                .react(quick.randomElement(using: &random) ?? "👍", isOn: Bool.random(using: &random), number: revision)
            }
        return ChangeOperation(
            id: Numbered.message(number),
            author: Numbered.peer(Int.random(in: 0..<4, using: &random)),
            target: Numbered.message(5_000),
            sentAt: UInt64(number),
            change
        )
    }
}
