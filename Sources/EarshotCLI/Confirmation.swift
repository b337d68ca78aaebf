import ArgumentParser
import Foundation

/// The question before something that cannot be taken back.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.") var yes = false

    /// Asks on the terminal, if the answer was not given on the command line.
    ///
    /// - Parameters:
    ///   - question: What is asked, and why one would not want it.
    ///   - otherwise: What is said to anything but yes.
    /// - Throws: `refused` for any other answer; where nobody can be asked, that `--yes` is missing.
    func ask(_ question: String, otherwise: String) throws {
        if yes { return }
        guard isatty(0) == 1, isatty(2) == 1 else {
            throw ValidationError("\(question) Say so with --yes.")
        }
        FileHandle.standardError.write(Data("\(question) Type yes: ".utf8))
        guard readLine()?.lowercased() == "yes" else { throw CommandFailure(.refused, otherwise) }
    }
}
