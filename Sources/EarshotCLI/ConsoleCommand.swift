import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// A command that prints through a console; its errors become one line and an exit status.
protocol ConsoleCommand: AsyncParsableCommand {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Runs the command.
    func perform(_ console: Console) async throws
}

extension ConsoleCommand {
    func run() async throws {
        let console = Console(global)
        do {
            try await perform(console)
        } catch let code as ExitCode {
            throw code
        } catch let usage as ValidationError {
            throw usage
        } catch {
            let failure = CommandFailure(error)
            console.complain(failure.message)
            throw ExitCode(failure.status.rawValue)
        }
    }
}
