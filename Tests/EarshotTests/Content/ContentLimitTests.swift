import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Session decryption authenticates the author of content.
///
/// The values in the content can still have any size.
@Suite("Limits of polls, reactions, edits, votes, mentions and timers")
struct ContentLimitTests {
    private static let target = ContentBytes.field(1, [UInt8](repeating: 9, count: 16))
    private static let peer = [UInt8](repeating: 3, count: 32)

    private func decode(_ number: UInt64, _ body: [UInt8], order: UInt64 = 0, more: [UInt8] = []) -> MessageContent
        .Body?
    {
        MessageContent.decode(ContentBytes.frame(order: order, sentAt: 1) + ContentBytes.field(number, body) + more)?
            .body
    }

    private func poll(_ optionCount: Int, optionByteCount: Int = 1, question: Int = 1) -> MessageContent.Body? {
        let option = ContentBytes.field(2, [UInt8](repeating: 0x61, count: optionByteCount))
        let options = (0..<optionCount).flatMap { _ in option }
        return decode(20, ContentBytes.field(1, [UInt8](repeating: 0x3F, count: question)) + options, order: 1)
    }

    @Test("A poll of 2 to 12 options is read, one of 10,000 is not")
    func pollOptions() {
        #expect(poll(2) == .poll(Poll("?", options: ["a", "a"], allowsChange: false)))
        #expect(poll(12) != nil)
        for count in [0, 1, 13, 10_000] { #expect(poll(count) == nil) }
        #expect(poll(2, optionByteCount: ContentLimits.optionByteCount) != nil)
        #expect(poll(2, optionByteCount: ContentLimits.optionByteCount + 1) == nil)
        #expect(poll(2, optionByteCount: 0) == nil)
        #expect(poll(2, question: ContentLimits.questionByteCount) != nil)
        #expect(poll(2, question: ContentLimits.questionByteCount + 1) == nil)
        #expect(poll(2, question: 0) == nil)
    }

    @Test("A reaction is an emoji of at most 64 bytes, whatever this system knows of emoji")
    func reactions() {
        func reaction(_ emoji: String, number: UInt64 = 1) -> MessageContent.Body? {
            decode(21, Self.target + ContentBytes.field(2, Array(emoji.utf8)) + ContentBytes.number(4, number))
        }
        let fits = String(repeating: "🦊", count: ContentLimits.emojiByteCount / 4)
        for emoji in ["👍", "❤️", "1️⃣", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", fits] { #expect(reaction(emoji) != nil, "\(emoji)") }
        for text in ["", "a", "1", " ", "👍 ", "\u{1B}[2J", "<b>", "\u{A0}", fits + "🦊"] {
            #expect(reaction(text) == nil)
        }
        #expect(reaction("👍", number: 0) == nil)
    }

    @Test("A single emoji is one, and only that")
    func singleEmoji() {
        for emoji in Emoji.quickSet + ["🦊", "1️⃣", "👨‍👩‍👧‍👦", "🇩🇰", "☎️"] { #expect(Emoji.isSingle(emoji), "\(emoji)") }
        for text in ["", "a", "1", "🦊🦊", "🦊 ", "hello", "é", "ü", "漢", "☎"] {
            #expect(!Emoji.isSingle(text), "\(text)")
        }
    }

    @Test("An edit holds as much as a text")
    func edits() {
        func edit(_ byteCount: Int, number: UInt64 = 1) -> MessageContent.Body? {
            let text = [UInt8](repeating: 0x61, count: byteCount)
            return decode(22, Self.target + ContentBytes.field(2, text) + ContentBytes.number(4, number))
        }
        #expect(edit(ChatLimits.textByteCount) != nil)
        #expect(edit(ChatLimits.textByteCount + 1) == nil)
        #expect(edit(0) == nil)
        #expect(edit(1, number: 0) == nil)
    }

    @Test("A vote has one of 16 numbers, and the end of a poll names at most 256 votes")
    func votes() {
        func vote(_ number: UInt64) -> MessageContent.Body? {
            decode(24, Self.target + ContentBytes.number(2, 1) + ContentBytes.number(3, number))
        }
        #expect(vote(1) != nil && vote(16) != nil)
        #expect(vote(0) == nil && vote(17) == nil)
        func close(_ count: Int, byteCount: Int = 16) -> MessageContent.Body? {
            let id = ContentBytes.field(2, [UInt8](repeating: 5, count: byteCount))
            return decode(25, Self.target + (0..<count).flatMap { _ in id })
        }
        #expect(close(0) != nil && close(ContentLimits.countedCount) != nil)
        #expect(close(ContentLimits.countedCount + 1) == nil)
        #expect(close(1, byteCount: 15) == nil)
    }

    @Test("A change names its message, and has no place in the history")
    func changes() {
        #expect(decode(23, Self.target) != nil)
        #expect(decode(23, []) == nil)
        #expect(decode(23, ContentBytes.field(1, [1])) == nil)
        #expect(decode(23, Self.target, order: 1) == nil)
    }

    @Test("Mentions are whole parts of the text, in order, none over another, at most 12")
    func mentions() {
        func mention(_ start: UInt64, _ count: UInt64, peer: [UInt8] = Self.peer) -> [UInt8] {
            let fields = ContentBytes.field(1, peer) + ContentBytes.number(2, start) + ContentBytes.number(3, count)
            return ContentBytes.field(31, fields)
        }
        func reads(_ mentions: [UInt8], text: String = "@é und @b") -> Bool {
            decode(4, ContentBytes.field(1, Array(text.utf8)), order: 1, more: mentions) != nil
        }
        #expect(reads(mention(0, 3) + mention(8, 2)))
        #expect(!reads(mention(8, 2) + mention(0, 3)))
        #expect(!reads(mention(0, 3) + mention(1, 3)))
        #expect(!reads(mention(0, 2)) && !reads(mention(2, 1)))
        #expect(!reads(mention(0, 0)) && !reads(mention(8, 3)) && !reads(mention(11, 1)))
        #expect(!reads(mention(UInt64(UInt32.max), 1)) && !reads(mention(1, UInt64(UInt32.max))))
        #expect(!reads(mention(0, 1, peer: [1])))
        let letters = String(repeating: "a", count: 20)
        func many(_ count: UInt64) -> [UInt8] { (0..<count).flatMap { mention($0, 1) } }
        #expect(reads(many(UInt64(ContentLimits.mentionCount)), text: letters))
        #expect(!reads(many(UInt64(ContentLimits.mentionCount) + 1), text: letters))
        let option = ContentBytes.field(2, [0x61])
        #expect(decode(20, ContentBytes.field(1, [0x61]) + option + option, order: 1, more: mention(0, 1)) == nil)
    }

    @Test("A timer is of at most a year, and an answered message is named by 16 bytes")
    func timers() {
        func text(_ more: [UInt8]) -> Bool { decode(4, ContentBytes.field(1, [0x61]), order: 1, more: more) != nil }
        #expect(text(ContentBytes.number(32, UInt64(ContentLimits.timerSeconds))))
        #expect(!text(ContentBytes.number(32, UInt64(ContentLimits.timerSeconds) + 1)))
        #expect(text(ContentBytes.field(30, [UInt8](repeating: 1, count: 16))))
        #expect(!text(ContentBytes.field(30, [1])))
        func timer(_ seconds: UInt64, _ number: UInt64 = 1) -> Bool {
            decode(26, ContentBytes.number(1, seconds) + ContentBytes.number(2, number), order: 1) != nil
        }
        #expect(timer(0) && timer(UInt64(ContentLimits.timerSeconds)))
        #expect(!timer(UInt64(ContentLimits.timerSeconds) + 1) && !timer(1, 0))
    }

    @Test("Of more members than are kept, those with the lowest ids have their reactions and votes kept")
    func members() {
        let numbers = Array((0...ContentLimits.memberCount).reversed())
        var (reactions, ballots) = (ReactionSet(), Ballots())
        for number in numbers {
            let revision = Revision(1, Numbered.message(number))
            reactions.insert(.init("👍", revision), by: Numbered.peer(number))
            ballots.insert(.init(1, revision), by: Numbered.peer(number))
        }
        let kept = (0..<ContentLimits.memberCount).map(Numbered.peer)
        #expect(reactions.shown.map(\.members) == [kept])
        #expect(ballots.byMember.keys.sorted() == kept)
    }

    @Test("A member runs out of numbers, not of room")
    func numbers() {
        let member = Numbered.peer(1)
        var (reactions, ballots) = (ReactionSet(), Ballots())
        reactions.insert(.init("👍", Revision(.max, Numbered.message(1))), by: member)
        #expect(reactions.nextNumber(of: member) == nil)
        ballots.insert(.init(1, Revision(UInt32(ContentLimits.voteCount), Numbered.message(2))), by: member)
        #expect(ballots.nextNumber(of: member) == nil)
        #expect(ballots.nextNumber(of: Numbered.peer(2)) == 1)
    }

    @Test("The longest text with all mentions fits a first flight")
    func longest() throws {
        let text = String(repeating: "@Bob ", count: ChatLimits.textByteCount / 5)
        let mentions = Mention.find(in: text, names: [(Numbered.peer(1), "Bob")])
        #expect(mentions.count == ContentLimits.mentionCount)
        let body = (0..<ContentLimits.mentionCount).flatMap { _ in
            ContentBytes.field(
                31,
                ContentBytes.field(1, Self.peer) + ContentBytes.number(2, 15_000) + ContentBytes.number(3, 300)
            )
        }
        let rest = ContentBytes.field(30, [UInt8](repeating: 1, count: 16)) + ContentBytes.number(32, 31_536_000)
        let whole = ContentBytes.text(text, order: 1 << 62, more: body + rest)
        #expect(whole.count <= SessionLimits.maximumFirstContentByteCount)
    }
}
