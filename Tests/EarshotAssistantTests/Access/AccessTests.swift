import ChatCrypto
import Earshot
import Testing

@testable import EarshotAssistant

@Suite("Who is answered")
struct AccessTests {
    private let start = ContinuousClock.now

    private func peer(_ number: Int) -> PeerID {
        let digits = String(number, radix: 16)
        return PeerID(hex: String(repeating: "0", count: 64 - digits.count) + digits) ?? Samples.alice
    }

    private func decide(
        _ recordStore: inout AccessControl,
        _ trust: TrustState,
        _ text: String = "hi",
        by peer: PeerID = Samples.alice,
        in place: QuestionOrigin = .direct,
        after seconds: Int = 0
    ) -> AccessDecision {
        recordStore.decide(about: peer, trust, text: text, in: place, at: start.advanced(by: .seconds(seconds)))
    }

    @Test("By default verified contacts are answered, and nobody else")
    func verified() {
        var recordStore = AccessControl(AccessRule())
        #expect(decide(&recordStore, .verified) == .admitted(.verified))
        for (trust, reason) in [(TrustState.tofu, AccessDecision.Reason.unverified), (.unknown, .unknownPeer)] {
            var recordStore = AccessControl(AccessRule())
            guard case .refused(reason, words: .some) = decide(&recordStore, trust) else {
                Issue.record("\(trust) was not refused")
                return
            }
        }
    }

    @Test(
        "Blocked, revoked and claimed identities are never answered, nor told so",
        arguments: [TrustState.blocked, .revoked, .changed]
    )
    func distrusted(trust: TrustState) {
        var recordStore = AccessControl(AccessRule(contacts: true, listed: [Samples.alice], code: "secret code"))
        #expect(decide(&recordStore, trust, "secret code") == .refused(.distrusted, words: nil))
    }

    @Test("Contacts and the list are answered where that was chosen")
    func chosen() {
        var contacts = AccessControl(AccessRule(contacts: true))
        #expect(decide(&contacts, .tofu) == .admitted(.contact) && decide(&contacts, .verified) == .admitted(.verified))
        #expect(decide(&contacts, .unknown) != .admitted(.contact))
        var list = AccessControl(AccessRule(verified: false, listed: [Samples.alice]))
        #expect(decide(&list, .unknown) == .admitted(.listed))
        guard case .refused(.unverified, _) = decide(&list, .verified, by: Samples.bob) else {
            Issue.record("a verified contact that is not on the list was answered")
            return
        }
    }

    @Test("A refusal is told once an hour, to 120 peers at most, and 1,024 are remembered")
    func refusals() {
        var recordStore = AccessControl(AccessRule())
        func isNotified(_ number: Int, after seconds: Int) -> Bool {
            if case .refused(_, words: .some) = decide(&recordStore, .unknown, by: peer(number), after: seconds) {
                true
            } else {
                false
            }
        }
        #expect(
            isNotified(1, after: 0) && !isNotified(1, after: 1) && !isNotified(1, after: 3_599)
                && isNotified(1, after: 3_600)
        )
        let told = (2...400).count { isNotified($0, after: 7_200) }
        #expect(told == AssistantLimits.refusalCount)
        var recent = RecentPeers<Int>()
        for number in 1...2_000 { recent[peer(number)] = number }
        #expect(recent.count == AssistantLimits.peerCount && recent[peer(976)] == nil && recent[peer(977)] == 977)
        recent[peer(977)] = 1
        recent[peer(3_000)] = 1
        #expect(recent[peer(977)] == 1 && recent[peer(978)] == nil)
    }

    @Test("All strangers together have 600 guesses at the code in an hour, whatever number of names they take")
    func commonGuesses() throws {
        var recordStore = AccessControl(AccessRule(code: "tea at five"))
        let start = ContinuousClock.now
        func decide(_ text: String, at now: ContinuousClock.Instant) -> AccessDecision {
            recordStore.decide(about: Identity().publicIdentity.id, .unknown, text: text, in: .direct, at: now)
        }
        for number in 0..<AssistantLimits.commonGuessCount {
            #expect(decide("guess \(number)", at: start) != .welcomed)
        }
        #expect(decide("tea at five", at: start) != .welcomed)
        #expect(decide("tea at five", at: start.advanced(by: AssistantLimits.refusalPause)) == .welcomed)
    }

    @Test("The code lets in who sends it alone; it is not told in a group, and guesses are few")
    func code() {
        let rule = AccessRule(verified: false, code: "correct horse")
        var recordStore = AccessControl(rule)
        #expect(decide(&recordStore, .unknown, "correct horse") == .welcomed)
        #expect(decide(&recordStore, .tofu, "hello") == .admitted(.contact))
        #expect(decide(&recordStore, .unknown, "correct horse", by: Samples.bob, in: .group) != .welcomed)
        for number in 0..<10 {
            #expect(decide(&recordStore, .unknown, "guess \(number)", by: Samples.carol) != .welcomed)
        }
        #expect(decide(&recordStore, .unknown, "correct horse", by: Samples.carol) != .welcomed)
        #expect(decide(&recordStore, .unknown, "correct horse", by: Samples.carol, after: 3_600) == .welcomed)
        #expect(AccessRule(code: "7 signs").code == nil)
    }

    @Test("In a room nobody is answered but where a code leads in and was chosen to be enough")
    func rooms() {
        for rule in [AccessRule(), AccessRule(contacts: true), AccessRule(verified: false, listed: [Samples.bob])] {
            for place in [QuestionOrigin.codeRoom, .openRoom] {
                var recordStore = AccessControl(rule)
                guard case .refused(.roomMember, words: .some) = decide(&recordStore, .unknown, in: place) else {
                    Issue.record("\(rule) answers in a room")
                    continue
                }
            }
        }
        var recordStore = AccessControl(AccessRule(verified: false, code: "correct horse"))
        #expect(decide(&recordStore, .unknown, in: .codeRoom) == .admitted(.codeRoom))
        #expect(decide(&recordStore, .blocked, in: .codeRoom) == .refused(.distrusted, words: nil))
        guard case .refused(.openRoom, let words?) = decide(&recordStore, .unknown, "correct horse", in: .openRoom)
        else {
            Issue.record("a room for everybody was taken for one with a code")
            return
        }
        #expect(words.hasSuffix("not in open rooms."))
        #expect(decide(&recordStore, .unknown, in: .openRoom) == .refused(.openRoom, words: nil))
    }

    @Test("A bucket gives what it holds at once, then one as time goes by, and tells how long it takes")
    func bucket() {
        var bucket = AnswerBucket(AnswerRate(6, in: .seconds(60)), at: start)
        for _ in 0..<6 { #expect(bucket.take(at: start) == nil) }
        #expect(bucket.take(at: start) == .seconds(10))
        #expect(bucket.take(at: start.advanced(by: .seconds(4))) == .seconds(6))
        #expect(bucket.take(at: start.advanced(by: .seconds(10))) == nil)
        #expect(bucket.take(at: start.advanced(by: .seconds(10))) == .seconds(10))
        // A clock that moves backwards adds no tokens.
        #expect(bucket.take(at: start) != nil)
        let later = start.advanced(by: .seconds(86_400))
        #expect((0..<10).count { _ in bucket.take(at: later) == nil } == 6)
    }

    @Test("The longest span there is lets its burst through and nothing after, and traps at no sum")
    func longestSpan() {
        for count in [1, 2, 4, 100_000, .max] {
            var bucket = AnswerBucket(AnswerRate(count, in: .seconds(Int64.max)), at: start)
            let burst = min(count, 1_000)
            for _ in 0..<burst { #expect(bucket.take(at: start) == nil) }
            if burst == count { #expect(bucket.take(at: start).map { $0 > .seconds(1_000_000) } == true) }
        }
    }
}
