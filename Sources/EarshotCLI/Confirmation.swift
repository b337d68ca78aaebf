import ArgumentParser
import Foundation

/// The question before something that cannot be taken back.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.") var yes = false

    /// Asks on the terminal, if the answer was not given on the command line.
    ///
    /// - Parameters:
    ///   - question: What is asked, without its question mark.
    ///   - deed: What `--yes` would say yes to.
    ///   - otherwise: What is said to anything but yes.
    func ask(_ question: String, to deed: String, otherwise: String) throws {
        if yes { return }
        guard isatty(0) == 1, isatty(2) == 1 else { throw ValidationError("Say --yes to \(deed).") }
        FileHandle.standardError.write(Data("\(question)? It cannot be brought back. Type yes: ".utf8))
        guard readLine()?.lowercased() == "yes" else { throw CommandFailure(.refused, otherwise) }
    }
}
