import ArgumentParser
import EarshotRPC
import Foundation

/// Compares a safety number.
struct VerifyCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the safety number with a contact, and mark the contact as verified.",
        discussion: """
            Both of you see the same 60 digits (`earshot fingerprint WHO`). Ask the other person to read theirs out, \
            in a way that nobody can fake, and type them here; Earshot compares them. Or scan the code that `earshot \
            fingerprint YOU --qr` draws on their own screen, and give its text by --qr.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String

    @Option(help: "The number that they read out. Default: asked.")
    var number: String?

    @Option(help: "The text of the code on their screen, instead of the number.")
    var qr: String?

    func validate() throws {
        guard number == nil || qr == nil else { throw ValidationError("Give either --number or --qr.") }
    }

    func perform(_ console: Console) async throws {
        let call = try qr.map { VerifyCall(peer: who, code: $0) } ?? numberCall()
        try await HomeAccess(global, console).withNode { caller in
            let reply = try await caller.call(call)
            let words = qr == nil ? "The numbers match" : "The code is theirs"
            let sentence = "\(words): \(DisplayText.safe(who)) is \(TrustText.word(reply.trust))."
            try console.result(reply, [console.coloured(sentence, .green)])
        }
    }

    private func numberCall() throws -> VerifyCall {
        let typed = try number ?? ask()
        guard let digits = SafetyNumberText.digits(typed) else {
            let count = typed.count { $0.isASCII && $0.isNumber }
            let mistake = SafetyNumberText.mistake(digitCount: count)
            throw CommandFailure(.badData, count == 60 ? "Type digits and spaces only." : mistake)
        }
        return VerifyCall(peer: who, number: digits)
    }

    private func ask() throws -> String {
        guard isatty(0) == 1 else { throw ValidationError("Give the number by --number.") }
        FileHandle.standardError.write(Data("The number that \(DisplayText.safe(who)) reads out: ".utf8))
        return readLine() ?? ""
    }
}
