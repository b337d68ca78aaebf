import Foundation
import Testing

@testable import EarshotCLI

@Suite("Lines of a chat on a screen")
struct ScreenTextTests {
    @Test(
        "A line is broken at spaces, and where there is none within a word",
        arguments: [
            ("short", ["short"]), ("aaaa bbbb cccc", ["aaaa bbbb", "> cccc"]), ("", [""]),
            ("aaaaaaaaaabbbbbbbbcc", ["aaaaaaaaaa", "> bbbbbbbb", "> cc"]), ("语言语言语言语", ["语言语言语", "> 言语"]),
            ("aa aaaaaaaaaa", ["aa", "> aaaaaaaa", "> aa"]), ("aaaaaaaaaa bbb", ["aaaaaaaaaa", "> bbb"]),
        ]
    )
    func rows(text: String, rows: [String]) {
        let line = StyledLine([Span(text)], continuation: [Span("> ", .dim)])
        #expect(line.rows(width: 10).map(\.text) == rows)
    }

    @Test("Looks are written where a terminal has them, and nothing of them elsewhere")
    func rendering() {
        let line = StyledLine([Span("a", .bold), Span("b"), Span("", .dim), Span("c", .person(1))])
        #expect(line.rendered(coloured: true) == "\u{1B}[1ma\u{1B}[0mb\u{1B}[1;35mc\u{1B}[0m")
        #expect(line.rendered(coloured: false) == "abc")
        #expect(line.shortened(to: 2).text == "a…")
        #expect(line.rows(width: 10) == [StyledLine([Span("a", .bold), Span("b"), Span("c", .person(1))])])
    }

    @Test(
        "A width is that of a terminal that shows every sign for itself",
        arguments: [
            ("abc", 3), ("e\u{301}", 1), ("语言", 4), ("🦊", 2), ("👩‍👩‍👧", 6), ("❤️", 2), ("🇩🇪", 2), ("שלום", 4), ("한", 2),
        ]
    )
    func widths(text: String, columns: Int) {
        #expect(CellWidth.of(text) == columns)
    }

    @Test("What is typed goes on below, with the cursor where it stands")
    func layout() {
        func layout(_ text: String, cursor: Int, width: Int = 11, rows: Int = 9) -> EditLayout {
            EditLayout(label: "B> ", text: Array(text.unicodeScalars), cursor: cursor, width: width, rowCount: rows)
        }
        func facts(_ layout: EditLayout) -> [String] {
            layout.rows + ["\(layout.cursorRow),\(layout.cursorColumn)"]
        }
        #expect(facts(layout("hello", cursor: 5)) == ["B> hello", "0,8"])
        #expect(facts(layout("hello", cursor: 0)) == ["B> hello", "0,3"])
        #expect(facts(layout("hello world", cursor: 8)) == ["B> hello w", "  orld", "1,3"])
        #expect(facts(layout("hello w", cursor: 7)) == ["B> hello w", "0,10"])
        #expect(facts(layout("a\nb", cursor: 3)) == ["B> a", "  b", "1,3"])
        #expect(facts(layout("语言语言", cursor: 4)) == ["B> 语言语", "  言", "1,4"])
        #expect(facts(layout("a\u{202E}\tb", cursor: 0, width: 40)) == ["B> a\\u{202e}␉b", "0,3"])
        #expect(facts(layout("1\n2\n3\n4\n5", cursor: 9, rows: 2)) == ["  4", "  5", "1,3"])
        #expect(facts(layout("1\n2\n3\n4\n5", cursor: 2, rows: 2)) == ["B> 1", "  2", "1,2"])
        #expect(EditLayout(label: "a long label> ", text: [], cursor: 0, width: 11, rowCount: 9).rows == ["> "])
    }

    @Test("Rows are taken away from where the cursor is, also after the terminal became narrower")
    func rowsAreErased() {
        var rows = TerminalRows()
        #expect(rows.erase(width: 80) == "")
        let layout = EditLayout(label: "> ", text: Array("ab\ncd".unicodeScalars), cursor: 1, width: 80, rowCount: 9)
        let drawn = rows.draw(StyledLine("0123456789"), layout, coloured: false)
        #expect(drawn == "0123456789\r\n> ab\r\n  cd\u{1B}[1A\r\u{1B}[3C")
        var narrow = rows
        #expect(rows.erase(width: 80) == "\r\u{1B}[1A\u{1B}[J")
        #expect(narrow.erase(width: 4) == "\r\u{1B}[3A\u{1B}[J")
        #expect(narrow.erase(width: 4) == "")
    }

    @Test("Lines of a message are drawn anew while they are in reach and as many")
    func blocks() {
        var blocks = PrintedBlocks()
        blocks.add(2, "a", width: 80)
        blocks.add(3, nil, width: 80)
        #expect(blocks.distance(to: "a", rowCount: 2, width: 80, height: 24) == 5)
        #expect(blocks.distance(to: "a", rowCount: 3, width: 80, height: 24) == nil)
        #expect(blocks.distance(to: "a", rowCount: 2, width: 79, height: 24) == nil)
        #expect(blocks.distance(to: "a", rowCount: 2, width: 80, height: 5) == nil)
        for _ in 0..<PrintedBlocks.count { blocks.add(0, nil, width: 80) }
        #expect(blocks.distance(to: "a", rowCount: 2, width: 80, height: 24) == nil)
    }

    @Test(
        "Pictures are shown where that is sure, and nowhere else",
        arguments: [
            (["TERM": "xterm-kitty"], .kitty), (["TERM": "xterm-ghostty"], .kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iTerm), (["TERM_PROGRAM": "WezTerm"], .iTerm),
            (["TERM": "foot"], .sixel), (["TERM": "foot-extra", "TERM_PROGRAM": "WezTerm"], .sixel),
            (["TERM": "mlterm-256color"], .sixel), (["TERM": "contour"], .sixel), (["TERM": "yaft-256color"], .sixel),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"], .sixel), (["TERM": "footwork"], nil),
            (["TERM": "foot", "TMUX": "/tmp/x"], nil), (["TERM": "xterm-256color"], nil),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "iTerm.app"], nil),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], nil), (["TERM": "screen.xterm-kitty"], nil), ([:], nil),
        ] as [([String: String], PictureProtocol?)]
    )
    func pictures(environment: [String: String], protocol: PictureProtocol?) {
        #expect(PictureChoice.auto.pictures(environment: environment) == `protocol`)
        for (choice, reported) in [(.kitty, .kitty), (.iterm, .iTerm), (.sixel, .sixel), (.none, nil)]
            as [(PictureChoice, PictureProtocol?)]
        {
            #expect(choice.pictures(environment: environment) == reported)
        }
    }

    @Test(
        "A picture of Sixel has whole bands and leaves half of the terminal, also where that is tiny",
        arguments: [
            ((80, 24, 0, 0), (640, 156)), ((80, 24, 1_600, 960), (1_600, 396)), ((80, 4, 720, 72), (720, 36)),
            ((1, 1, 1, 1), (1, 6)), ((0, 0, 900, 900), (640, 156)), ((80, 24, 79, 23), (640, 156)),
        ] as [((UInt16, UInt16, UInt16, UInt16), (Int, Int))]
    )
    func boxes(reported: (UInt16, UInt16, UInt16, UInt16), box: (Int, Int)) {
        let size = winsize(ws_row: reported.1, ws_col: reported.0, ws_xpixel: reported.2, ws_ypixel: reported.3)
        #expect(PictureProtocol.sixelBox(in: TerminalSize(size)) == box)
    }

    @Test("A picture goes to the terminal in pieces that it takes")
    func pieces() {
        let png = [UInt8](repeating: 0, count: 4_000)
        let kitty = PictureProtocol.kitty.sequence(png)
        #expect(kitty.hasPrefix("\u{1B}_Ga=T,f=100,q=2,r=10,m=1;AAAA") && kitty.contains("\u{1B}\\\u{1B}_Gm=0;"))
        #expect(kitty.split(separator: "\u{1B}_G").allSatisfy { $0.utf8.count < 4_200 })
        #expect(
            PictureProtocol.iTerm.sequence([1]).contains("File=inline=1;size=1;height=10;preserveAspectRatio=1:AQ==")
        )
    }

    @Test("Updates that no terminal takes are bounded, and what must not be lost is not")
    func feed() throws {
        let feed = try ScreenFeed()
        feed.add(.forgetTyped)
        for number in 0...ScreenFeed.updateCount { feed.add(.lines([StyledLine("\(number)")])) }
        let updates = feed.take()
        #expect(updates.count == ScreenFeed.updateCount)
        #expect(updates.first == .forgetTyped && updates[1] == .lines([StyledLine("2")]))
        #expect(feed.take() == [])
    }
}
