import ArgumentParser
import ChatCrypto
import EarshotRPC

/// Shows the fingerprint of an identity, with the safety number of a contact.
struct FingerprintCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        abstract: "Show your own fingerprint, or a contact's and the safety number with it.",
        discussion: """
            --qr draws your identity as a code for the camera of WHO, or of anybody. The other side gives the text \
            of the code to `verify`. For both sides to be sure, each scans the code of the other.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String?

    @Flag(help: "Draw your identity as a QR code for them to scan.")
    var qr = false

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let identity = if let who { try await Self.contact(who, caller) } else { try await Self.own(caller) }
            let code = qr ? console.code(identity.code ?? "") : []
            try console.result(identity, identity.lines(console) + code)
        }
    }

    private static func own(_ caller: any RPCCaller) async throws -> IdentityOutput {
        let status = try await caller.call(StatusCall())
        let code = PeerID(hex: status.id).map { IdentityCode(of: $0).text }
        return IdentityOutput(id: status.id, name: status.name, fingerprint: status.fingerprint, code: code)
    }

    private static func contact(_ who: String, _ caller: any RPCCaller) async throws -> IdentityOutput {
        let pair = try await caller.call(SafetyNumberCall(peer: who))
        guard let contact = try await caller.call(ContactsCall()).first(where: { $0.id == pair.peer }) else {
            throw CommandFailure(
                .badData,
                "No contact is called `\(DisplayText.safe(who))`; `earshot peers` lists them."
            )
        }
        let own = PeerID(hex: try await caller.call(StatusCall()).id)
        return IdentityOutput(
            id: contact.id,
            name: contact.name,
            fingerprint: contact.fingerprint,
            trust: contact.trust,
            number: pair.number,
            code: own.map { IdentityCode(of: $0, for: PeerID(hex: contact.id)).text }
        )
    }
}
