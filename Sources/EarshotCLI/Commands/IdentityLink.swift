import ArgumentParser
import ChatCrypto
import EarshotRPC
import Foundation
import GatewayCore

extension IdentityCommand {
    /// Shows the link of the identity, with which others write to its user for the first time.
    struct Link: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "link",
            abstract: "Show the link of your identity, or make one by which people in other meshes can write to you.",
            discussion: """
                A link of --far works for 90 days, for anybody who has it: it is a secret. They run `earshot send LINK \
                TEXT`. Your node must be connected with a hub that the link names; compare safety numbers then.

                Examples:
                  earshot identity --far
                  earshot identity --end-far
                """
        )

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Make a link for a first message from another mesh, by your hubs.")
        var far = false

        @Flag(help: "Put the logins of your hubs into the link, for people who have none.")
        var withLogin = false

        @Flag(help: "End all links of --far: nobody can write to you by them any more.")
        var endFar = false

        func validate() throws {
            guard !withLogin || far else { throw ValidationError("--with-login needs --far.") }
            guard !endFar || !far else { throw ValidationError("--far and --end-far exclude each other.") }
        }

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try await home.withNode { caller in
                if endFar { return try await end(caller, console) }
                guard far else { return try await show(caller, console) }
                let reply = try await caller.call(InviteCall())
                let link = try finished(reply, home.directory)
                let output = LinkOutput(link: link.text, hubs: link.hubs.map(Self.withoutLogin), ends: reply.ends)
                try console.result(output, console.code(link.text) + lines(output))
                guard caller is LocalCaller else { return }
                console.note("Run `earshot node` or `earshot web`: only a running node reads first messages.")
            }
        }

        /// The answer in machine-readable form.
        private struct LinkOutput: Encodable {
            let link: String
            let hubs: [String]
            let ends: Date?
        }

        private func show(_ caller: any RPCCaller, _ console: Console) async throws {
            guard let id = PeerID(hex: try await caller.call(StatusCall()).id) else { return }
            let link = IdentityCode(of: id).text
            try console.result(LinkOutput(link: link, hubs: [], ends: nil), console.code(link))
        }

        private func end(_ caller: any RPCCaller, _ console: Console) async throws {
            let reply = try await caller.call(EndInvitesCall())
            try console.result(reply, [reply.ended == 0 ? "You have no links." : "Ended: \(reply.ended)."])
        }

        /// Returns the link with the hubs of the data directory, if the node names none or their logins are wanted.
        private func finished(_ reply: InviteCall.Reply, _ home: HomeDirectory) throws -> IdentityCode {
            guard let code = IdentityCode(reply.link), let token = code.token else {
                throw CommandFailure(.failed, "The node's link cannot be read.")
            }
            guard withLogin || code.hubs.isEmpty else { return code }
            let hubs = try HubList(in: home).hubs.map { withLogin ? $0.secretText : $0.text }
            let link = IdentityCode(of: code.id, token, hubs: hubs.isEmpty ? code.hubs : hubs)
            guard link.hubs.count == min(hubs.count, IdentityCode.hubCount) || hubs.isEmpty else {
                throw CommandFailure(.badData, "The address of a hub is too long for a link; leave out --with-login.")
            }
            return link
        }

        private static func withoutLogin(_ address: String) -> String {
            (try? HubURL(address, allowsClearText: true))?.text ?? ""
        }

        private func lines(_ output: LinkOutput) -> [String] {
            let days = "It works for 90 days, for anybody who has it: it is a secret. Give it to those who may write."
            guard !output.hubs.isEmpty else {
                let advice =
                    "It names no hub: your node has none. `earshot hub add URL` adds one; then make a new link."
                return [days, advice]
            }
            return ["Others write by: earshot send LINK TEXT", days]
        }
    }
}
