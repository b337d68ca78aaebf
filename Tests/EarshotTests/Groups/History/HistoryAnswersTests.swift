import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Answering newcomers")
struct HistoryAnswersTests {
    private static func newcomer(_ number: Int) throws -> HistoryAnswers.Newcomer {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 3, count: 16)))
        return HistoryAnswers.Newcomer(group: group, member: Numbered.peer(number))
    }

    @Test("One page leaves at a time, each newcomer's last wish counts, and no more than so many wait")
    func waiting() throws {
        var answers = HistoryAnswers()
        #expect(answers.nextDeadline == .distantFuture)
        for number in 0..<(NewcomerLimits.waitingCount + 5) { answers.wait(try Self.newcomer(number), for: .newest) }
        let further = HistoryCursor(place: 3, part: 1)
        answers.wait(try Self.newcomer(0), for: further)
        #expect(answers.waitingCount == NewcomerLimits.waitingCount && answers.nextDeadline == .zero)
        let (first, tooEarly) = (answers.takeDue(at: .zero), answers.takeDue(at: .zero))
        #expect(try first?.newcomer == Self.newcomer(0))
        #expect(first?.cursor == further && tooEarly == nil)
        let next = MeshInstant.zero.advanced(by: NewcomerLimits.answerInterval)
        #expect(answers.nextDeadline == next)
        let second = answers.takeDue(at: next)?.newcomer
        #expect(try second == Self.newcomer(1))
        answers.cancel(try Self.newcomer(0).group, Numbered.peer(2))
        #expect(answers.waitingCount == NewcomerLimits.waitingCount - 3)
        // The new member can repeat a request that was dropped.
        answers.wait(try Self.newcomer(2), for: .newest)
        #expect(answers.waitingCount == NewcomerLimits.waitingCount - 2)
        answers.cancel(try Self.newcomer(0).group)
        #expect(answers.nextDeadline == .distantFuture)
    }

    @Test("So many newcomers are remembered; the one answered longest ago makes room")
    func remembering() throws {
        var answers = HistoryAnswers()
        for number in 0..<NewcomerLimits.answerCount {
            let answer = HistoryAnswers.Answer(
                entrance: UInt32(number),
                answeredAt: UInt64(1_000 + (number + 7) % 1_024)
            )
            let crowdedOut = answers.set(answer, for: try Self.newcomer(number))
            #expect(crowdedOut == nil)
        }
        let newest = HistoryAnswers.Answer(entrance: 9, answeredAt: 5_000)
        let crowdedOut = answers.set(newest, for: try Self.newcomer(9_999))
        #expect(try crowdedOut == Self.newcomer(1_017))
        #expect(answers.count == NewcomerLimits.answerCount)
        let group = try Self.newcomer(0).group
        #expect(try answers.newcomers(to: group, after: 1_022) == [Self.newcomer(1_023)])
        let forgotten = answers.forget { _, answer in answer.answeredAt < 5_000 }
        #expect(forgotten.count == NewcomerLimits.answerCount - 1)
        #expect(try answers[Self.newcomer(9_999)] == newest)
    }
}
