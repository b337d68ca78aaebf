import ArgumentParser
import ChatCrypto
import Earshot
import Foundation

/// The command `earshot`.
@main
struct EarshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Talk privately with people nearby: no server, no internet, no account.",
        discussion: """
            A data directory holds an identity and its history: --home, else EARSHOT_HOME, else \
            $XDG_DATA_HOME/earshot, else ~/.local/share/earshot. While `earshot node` runs in a data directory, every \
            other command talks to it.
            WHO is a name, a peer id, or the first 8 or more digits of one; group:TITLE is a group, \
            room:TITLE a room.
            Exit status: 0 done, 1 failed, 64 usage, 65 bad or ambiguous data, 69 no peer reachable, 75 not in time, \
            77 refused by trust, lock or permission.
            """,
        version: ChatNode.version,
        subcommands: [
            InitCommand.self, NodeCommand.self, ChatCommand.self, WebCommand.self, AssistantCommand.self,
            SendCommand.self,
            CancelCommand.self,
            ListenCommand.self,
            PeersCommand.self, PingCommand.self, MapCommand.self, ProfileCommand.self, FingerprintCommand.self,
            VerifyCommand.self, TrustCommand.self, NameCommand.self, ReactCommand.self, EditCommand.self,
            DeleteCommand.self,
            MediaCommand.self,
            PollCommand.self, VoteCommand.self, TimerCommand.self, GroupCommand.self, RoomCommand.self,
            HistoryCommand.self, PinCommand.self, UnpinCommand.self, MuteCommand.self, UnmuteCommand.self,
            StatusCommand.self, DoctorCommand.self, HubCommand.self,
            PassphraseCommand.self, IdentityCommand.self, LockCommand.self, UnlockCommand.self, EraseCommand.self,
            DoctorWitnessCommand.self,
            SimulateCommand.self, ConformanceCommand.self,
            DemoCommand.self,
        ]
    )

    @OptionGroup var global: GlobalOptions

    static func main() async {
        // If the reader of a pipe ends (`earshot listen | head -1`), only one write fails; the process goes on.
        signal(SIGPIPE, SIG_IGN)
        // A crash report would contain parts of the memory; only developers who ask for it get one.
        if getenv("SWIFT_BACKTRACE") == nil {
            for crash in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGQUIT] { signal(crash, SIG_DFL) }
        }
        do {
            try CryptoStart.hardenProcess()
        } catch {
            FileHandle.standardError.write(Data("earshot: \(error)\n".utf8))
        }
        if let text = UnknownCommand.text(of: Array(CommandLine.arguments.dropFirst())) {
            FileHandle.standardError.write(Data("earshot: \(text)\n".utf8))
            exit(withError: ExitCode(ExitStatus.usage.rawValue))
        }
        await main(nil)
    }
}
