import ArgumentParser
import EarshotRPC

/// Shows an identity.
struct FingerprintCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        abstract: "Show your own fingerprint, or a contact's and the safety number with it."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String?

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let identity = if let who { try await Self.contact(who, caller) } else { try await Self.own(caller) }
            try console.result(identity, identity.lines(console))
        }
    }

    private static func own(_ caller: any RPCCaller) async throws -> IdentityOutput {
        let status = try await caller.call(StatusCall())
        return IdentityOutput(id: status.id, name: status.name, fingerprint: status.fingerprint)
    }

    private static func contact(_ who: String, _ caller: any RPCCaller) async throws -> IdentityOutput {
        let pair = try await caller.call(SafetyNumberCall(peer: who))
        guard let contact = try await caller.call(ContactsCall()).first(where: { $0.id == pair.peer }) else {
            throw CommandFailure(
                .badData,
                "No contact is called `\(DisplayText.safe(who))`; `earshot peers` lists them."
            )
        }
        return IdentityOutput(
            id: contact.id,
            name: contact.name,
            fingerprint: contact.fingerprint,
            trust: contact.trust,
            number: pair.number
        )
    }
}
