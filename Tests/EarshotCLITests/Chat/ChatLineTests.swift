import Testing

@testable import EarshotCLI

@Suite("Typed lines of a chat")
struct ChatLineTests {
    @Test(
        "A line is a text, or the command that it begins with",
        arguments: [
            ("", .nothing), ("   ", .nothing), ("Hello  you ", .say("Hello  you")), ("two\nlines", .say("two\nlines")),
            ("//etc is a folder", .say("/etc is a folder")), ("on :fire: at 10:30:00", .say("on 🔥 at 10:30:00")),
            ("/dm Bob Miller", .open("Bob Miller")), ("/DM group:Hike", .open("group:Hike")),
            ("/reply 12 Yes, :+1:", .reply(12, "Yes, 👍")), ("/react #3 :heart:", .react(3, "❤️")),
            ("/edit 4 a\nb", .edit(4, "a\nb")), ("/delete 5", .delete(5)), ("/vote 7 1, 3", .vote(7, [1, 3])),
            ("/vote 7", .vote(7, [])), ("/poll Tea? | yes | no ", .poll(question: "Tea?", options: ["yes", "no"])),
            ("/poll close 9", .closePoll(9)), ("/file ~/a\\ b.png", .file(path: "~/a b.png", text: "")),
            ("/file 'a b.png' | look", .file(path: "a b.png", text: "look")),
            ("/save 3", .save(3, folder: nil)), ("/save 3 ~/x y", .save(3, folder: "~/x y")),
            ("/search old mill", .search("old mill")), ("/more", .older), ("/who", .who), ("/hide", .hide),
            ("/show", .show), ("/lock", .lock), ("/help", .help(.beginning)), ("/quit", .quit),
            ("/expire 5m", .expire(300)), ("/expire off", .expire(0)), ("/expire", .expire(nil)),
            ("/help more", .help(.rest)), ("/help /React", .help(.command(.react))),
        ] as [(String, ChatAction)]
    )
    func actions(line: String, action: ChatAction) throws {
        #expect(try ChatLine.action(of: line) == action)
    }

    private static let number = String(repeating: "12345 ", count: 12)

    @Test(
        "Somebody is named before a safety number, or is whose conversation is open",
        arguments: [
            ("/verify", .verify(who: nil, number: nil)), ("/verify Bob B2", .verify(who: "Bob B2", number: nil)),
            ("/verify \(number)", .verify(who: nil, number: number.replacing(" ", with: ""))),
            ("/verify Bob \(number)", .verify(who: "Bob", number: number.replacing(" ", with: ""))),
            ("/name Mum from work", .name("Mum from work")), ("/name off", .name(nil)),
            ("/trust accept", .trust(action: "accept", who: nil)),
            ("/trust block Bob Miller", .trust(action: "block", who: "Bob Miller")),
        ] as [(String, ChatAction)]
    )
    func people(line: String, action: ChatAction) throws {
        #expect(try ChatLine.action(of: line) == action)
    }

    @Test(
        "Rooms are listed, made for a time, joined, left and guarded",
        arguments: [
            ("/room", .list), ("/room list", .list), ("/room create Camp 7", .create(title: "Camp 7", seconds: nil)),
            ("/room create Camp 1h", .create(title: "Camp", seconds: 3_600)),
            ("/room join 47-482913", .join(code: "47-482913", name: nil)),
            ("/room join 47-482913 Red Fox", .join(code: "47-482913", name: "Red Fox")),
            ("/room admit Red Fox", .answer(name: "Red Fox", admits: true)),
            ("/room refuse Red Fox", .answer(name: "Red Fox", admits: false)),
            ("/room leave Camp", .leave(title: "Camp")),
        ] as [(String, ChatAction.RoomAction)]
    )
    func rooms(line: String, action: ChatAction.RoomAction) throws {
        #expect(try ChatLine.action(of: line) == .room(action))
    }

    @Test(
        "What cannot be done is told with what can",
        arguments: [
            (
                "/etc/passwd",
                "There is no command /etc/passwd; /help lists them. To send a text that begins with /, type //."
            ),
            (
                "/quti",
                "There is no command /quti; did you mean /quit? To send a text that begins with /, type //."
            ),
            ("/group Trees", "The chat has no command /group: use `earshot group` in another terminal."),
            ("/dm", "How to use it: /dm WHO."), ("/reply x y", "How to use it: /reply N TEXT."),
            ("/reply 3", "How to use it: /reply N TEXT."),
            ("/delete 5\n/delete 6", "How to use it: /delete N."), ("/delete 0", "How to use it: /delete N."),
            ("/vote 3 one", "How to use it: /vote N CHOICE…."),
            ("/poll Tea? | yes", "How to use it: /poll QUESTION | A | B …, or close N."),
            ("/trust Bob", "How to use it: /trust accept|block|unblock [WHO]."),
            ("/expire soon", "How to use it: /expire 5m, or /expire off."),
            ("/verify \(number.dropLast(3))", "A safety number has 60 digits; you typed 58."),
            (
                "/verify Alice 123",
                "A safety number has 60 digits; you typed 3. Open Alice 123 by /dm first if that is a name."
            ),
            ("/verify 12345 67890", "A safety number has 60 digits; you typed 10."),
        ]
    )
    func mistakes(line: String, reason: String) {
        #expect(throws: ChatMistake(reason)) { try ChatLine.action(of: line) }
    }

    @Test("Every command is told in the help, with what follows it")
    func help() {
        let pages = [ChatHelp.lines, ChatHelp.more]
        for verb in ChatVerb.allCases {
            let hits = pages.filter { $0.contains { $0.text.hasPrefix("  /\(verb.rawValue) \(verb.usage)") } }
            #expect(hits.count == 1 && ChatHelp.lines(of: verb).first?.text.contains("/\(verb.rawValue)") == true)
        }
        let named = pages[0].last?.text ?? ""
        for verb in [ChatVerb.who, .trust, .lock, .quit] { #expect(named.contains(" /\(verb.rawValue)")) }
    }

    @Test("Each page of the help fits 80 columns and 24 rows, and no argument touches the text beside it")
    func helpColumns() {
        for page in [ChatHelp.lines, ChatHelp.more] {
            let rows = page.flatMap { $0.rows(width: 80) }
            // The status row and the prompt take two rows.
            #expect(rows.count <= 22, "\(rows.map(\.text).joined(separator: "\n"))")
        }
        for verb in ChatVerb.allCases {
            let usage = "  /\(verb.rawValue) \(verb.usage)"
            let rows = ChatHelp.lines(of: verb).map(\.text)
            let isAlone = rows.count == 2 && rows[0] == usage && rows[1].hasPrefix("   ")
            #expect(isAlone || rows.count == 1 && rows[0].hasPrefix(usage + "  "), "\(rows)")
        }
    }
}
