import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Answering newcomers")
struct HistoryAnswersTests {
    private static func newMember(_ number: Int) throws -> HistoryAnswers.NewMember {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 3, count: 16)))
        return HistoryAnswers.NewMember(group: group, member: Numbered.peer(number))
    }

    @Test("One page leaves at a time, each newcomer's last wish counts, and no more than so many wait")
    func waiting() throws {
        var answers = HistoryAnswers()
        #expect(answers.nextDeadline == .distantFuture)
        for number in 0..<(EarlierMessageLimits.waitingCount + 5) {
            answers.wait(try Self.newMember(number), for: .newest)
        }
        let further = HistoryCursor(place: 3, part: 1)
        answers.wait(try Self.newMember(0), for: further)
        #expect(answers.waitingCount == EarlierMessageLimits.waitingCount && answers.nextDeadline == .zero)
        let (first, tooEarly) = (answers.takeDue(at: .zero), answers.takeDue(at: .zero))
        #expect(try first?.newMember == Self.newMember(0))
        #expect(first?.cursor == further && tooEarly == nil)
        let next = MeshInstant.zero.advanced(by: EarlierMessageLimits.answerInterval)
        #expect(answers.nextDeadline == next)
        let second = answers.takeDue(at: next)?.newMember
        #expect(try second == Self.newMember(1))
        answers.cancel(try Self.newMember(0).group, Numbered.peer(2))
        #expect(answers.waitingCount == EarlierMessageLimits.waitingCount - 3)
        // The new member can repeat a request that was dropped.
        answers.wait(try Self.newMember(2), for: .newest)
        #expect(answers.waitingCount == EarlierMessageLimits.waitingCount - 2)
        answers.cancel(try Self.newMember(0).group)
        #expect(answers.nextDeadline == .distantFuture)
    }

    @Test("So many newcomers are remembered; the one answered longest ago makes room")
    func remembering() throws {
        var answers = HistoryAnswers()
        for number in 0..<EarlierMessageLimits.answerCount {
            let answer = HistoryAnswers.Answer(
                joinEpoch: UInt32(number),
                answeredAt: UInt64(1_000 + (number + 7) % 1_024)
            )
            let evicted = answers.set(answer, for: try Self.newMember(number))
            #expect(evicted == nil)
        }
        let newest = HistoryAnswers.Answer(joinEpoch: 9, answeredAt: 5_000)
        let evicted = answers.set(newest, for: try Self.newMember(9_999))
        #expect(try evicted == Self.newMember(1_017))
        #expect(answers.count == EarlierMessageLimits.answerCount)
        let group = try Self.newMember(0).group
        #expect(try answers.newMembers(to: group, after: 1_022) == [Self.newMember(1_023)])
        let forgotten = answers.forget { _, answer in answer.answeredAt < 5_000 }
        #expect(forgotten.count == EarlierMessageLimits.answerCount - 1)
        #expect(try answers[Self.newMember(9_999)] == newest)
    }
}
