import Testing

@testable import EarshotCLI

@Suite("Mistyped commands")
struct NearestTests {
    @Test(
        "A mistyped word is near its original by each kind of error, and near nothing else",
        arguments: [
            ("snd", "send"), ("sennd", "send"), ("sand", "send"), ("quti", "quit"), ("CRATE", "create"),
            ("xsend", "send"), ("sendxx", "send"), ("crxxte", "create"),
        ]
    )
    func near(typed: String, meant: String) {
        #expect(Nearest.word(to: typed, among: ["send", "quit", "create", "dm"]) == meant)
    }

    @Test("Nothing is near a word that is another one", arguments: ["", "x", "xy", "banana", "sendxxx", "etc/passwd"])
    func far(typed: String) {
        #expect(Nearest.word(to: typed, among: ["send", "quit", "create", "dm"]) == nil)
    }

    @Test("An exchange of two characters is one error, and the nearest of several words counts")
    func distances() {
        #expect(Nearest.distance("quti", "quit") == 1 && Nearest.distance("", "abc") == 3)
        #expect(Nearest.distance("kitten", "sitting") == 3 && Nearest.distance("语言", "语文") == 1)
        #expect(Nearest.word(to: "pinn", among: ["ping", "unpin", "pin"]) == "ping")
        #expect(Nearest.word(to: "vota", among: ["node", "vote"]) == "vote")
    }

    @Test(
        "An unknown command is refused with the nearest one, nested ones too",
        arguments: [
            ("snd Alice hi", "There is no command `snd`. Did you mean `send`? `earshot --help` lists all."),
            ("--home /x --json snd", "There is no command `snd`. Did you mean `send`? `earshot --help` lists all."),
            ("--home=/x banana", "There is no command `banana`. `earshot --help` lists all."),
            (
                "group crate Trees Bob",
                "There is no command `group crate`. Did you mean `group create`? `earshot group --help` lists all."
            ),
            (
                "pins\u{7} list",
                "There is no command `pins\\u{7}`. Did you mean `ping`? `earshot --help` lists all."
            ),
        ]
    )
    func refused(line: String, text: String) {
        #expect(UnknownCommand.text(of: line.split(separator: " ").map(String.init)) == text)
    }

    @Test(
        "Known commands, help and the options of the parser pass",
        arguments: [
            "", "send Alice hi", "group create Trees Bob", "--home snd peers", "group", "help send", "help snd",
            "--version", "-h", "--generate-completion-script bash", "--hom x snd", "--json=1 snd", "--home",
            "group --quiet list",
        ]
    )
    func known(line: String) {
        #expect(UnknownCommand.text(of: line.split(separator: " ").map(String.init)) == nil)
    }
}
