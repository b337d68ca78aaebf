import Earshot
import Foundation
import MeshCore

@testable import ChatCore

/// Random messages, decisions and times for a notification policy, beside the simplest record of the expected state.
struct NoticeTrial {
    private var scene = NoticeScene()
    private var random: SplitMix64
    /// The number of messages of each conversation since the user read it.
    private var unread: [Int: Int] = [:]
    private var unknownPeers: Set<Int> = []
    /// The expectations that failed.
    private(set) var faults: Set<String> = []

    /// The conversations of the trial.
    ///
    /// There are fewer than the policy remembers, so every count has to be right.
    private static let conversations = 0..<12
    private static let secret = "chosen by a stranger"

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func step() {
        let number = Int.random(in: Self.conversations, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: receive(in: number)
        case 5:
            scene.receive(
                NoticeScene.facts(Self.secret, in: 100 + number, .request, from: Self.secret)
            )
            unknownPeers.insert(number)
        case 6:
            scene.read(number)
            unread[number] = nil
        case 7:
            scene.decide(on: 100 + number)
            unknownPeers.remove(number)
        case 8:
            if let topic = scene.screen.keys.randomElement(using: &random) { scene.close(topic) }
        default:
            scene.pass(.milliseconds(Int.random(in: 0...20_000, using: &random)))
        }
        check()
    }

    /// Lets all waiting notices come, and checks the counts on the screen.
    mutating func settle() {
        scene.pass(NoticeLimits.requestInterval + .seconds(60))
        check()
        for number in Self.conversations {
            guard let notice = scene[number] else { continue }
            if notice.count != unread[number] { faults.insert("a wrong count") }
        }
        if let requests = scene.screen[.requests], requests.count < unknownPeers.count {
            faults.insert("a stranger lost")
        }
        if scene.screen[.requests] != nil, unknownPeers.isEmpty { faults.insert("a notice of nobody") }
    }

    private mutating func receive(in number: Int) {
        var facts = NoticeScene.facts(Self.nonsense(using: &random), in: number, from: Self.nonsense(using: &random))
        let isMuted = Int.random(in: 0..<8, using: &random) == 0
        if isMuted { facts.mutedUntil = facts.receivedAt + 1 } else { unread[number, default: 0] += 1 }
        scene.receive(facts)
    }

    private mutating func check() {
        for (index, (moment, notice)) in scene.raised.enumerated().suffix(12) {
            let before = scene.raised[..<index]
            let inWindow = before.count { $0.at + NoticeLimits.showWindow > moment }
            if inWindow >= NoticeLimits.showCount { faults.insert("too many in a window") }
            let isRequest = notice.topic == .requests
            let interval = isRequest ? NoticeLimits.requestInterval : NoticeLimits.conversationInterval
            if let last = before.last(where: { $0.notice.topic == notice.topic }), last.at + interval > moment {
                faults.insert("too soon after another")
            }
            if (notice.title + notice.body).contains(Self.secret) { faults.insert("a stranger's words") }
            if notice.title.isEmpty || notice.body.isEmpty { faults.insert("an empty line") }
            if notice.title.unicodeScalars.count > 100 || notice.body.unicodeScalars.count > 300 {
                faults.insert("a long line")
            }
            if !NoticeTextTests.isHarmless(notice.title + notice.body) { faults.insert("a harmful line") }
        }
        if scene.screen.count > NoticeLimits.topicCount + 1 { faults.insert("too many on the screen") }
        if scene.vainWithdrawals > 0 { faults.insert("a withdrawal of nothing") }
        for number in Self.conversations where scene[number] != nil && unread[number] == nil {
            faults.insert("shown although read")
        }
    }

    /// Returns a text of up to 60 random scalars.
    static func nonsense(using random: inout SplitMix64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let ranges: [ClosedRange<UInt32>] = [
                0...0x7F, 0x80...0x7FF, 0x2000...0x206F, 0xFE00...0xFE0F, 0...0x10FFFF,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
