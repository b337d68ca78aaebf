import ArgumentParser
import EarshotRPC
import Foundation

/// Compares a safety number.
struct VerifyCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare the safety number with a contact, and remember the contact as verified.",
        discussion: """
            Both of you see the same 60 digits (`earshot fingerprint WHO`). Have the other read theirs out, by a way \
            that nobody can fake, and type them here; the comparison is done by the program.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String

    @Option(help: "The number as the other side reads it out; asked where it is not given.")
    var number: String?

    func perform(_ console: Console) async throws {
        let text = try number ?? ask()
        guard let digits = SafetyNumberText.digits(text) else {
            throw CommandFailure(.badData, "A safety number has 60 digits; spaces between them do not matter.")
        }
        try await HomeAccess(global, console).withNode { caller in
            let reply = try await caller.call(VerifyCall(peer: who, number: digits))
            try console.result(
                reply,
                [console.coloured("The numbers match: \(DisplayText.safe(who)) is \(reply.trust).", .green)]
            )
        }
    }

    private func ask() throws -> String {
        guard isatty(0) == 1 else { throw ValidationError("Give the number by --number.") }
        FileHandle.standardError.write(Data("The number that \(DisplayText.safe(who)) reads out: ".utf8))
        return readLine() ?? ""
    }
}
