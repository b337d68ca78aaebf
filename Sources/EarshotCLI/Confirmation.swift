import ArgumentParser
import Foundation

/// The confirmation of an action that cannot be undone.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.") var yes = false

    /// Asks on the terminal, if the answer was not given on the command line.
    ///
    /// - Parameters:
    ///   - question: The question, with the reason to say no.
    ///   - otherwise: The message for any answer except yes.
    /// - Throws: `refused` for any other answer; without a terminal, a validation error that `--yes` is missing.
    func ask(_ question: String, otherwise: String) throws {
        if yes { return }
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw ValidationError("\(question) Confirm with --yes.")
        }
        FileHandle.standardError.write(Data("\(question) Type yes: ".utf8))
        guard readLine()?.lowercased() == "yes" else { throw CommandFailure(.refused, otherwise) }
    }
}
