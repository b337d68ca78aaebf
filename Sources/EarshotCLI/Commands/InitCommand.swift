import ArgumentParser
import Earshot
import EarshotRPC

/// Creates the identity of a home.
struct InitCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create an identity, and print its peer id and fingerprint."
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "The nickname for others to see.")
    var name: String

    @Flag(name: .customLong("no-passphrase"), help: "Protect the data directory by the file system only.")
    var withoutPassphrase = false

    func perform(_ console: Console) async throws {
        let node = try await HomeAccess(global, console).initialise(
            name: name,
            passphrase: try Self.passphrase(global, without: withoutPassphrase)
        )
        let status = StatusReply(await node.status)
        await node.stop()
        let identity = IdentityOutput(id: status.id, name: status.name, fingerprint: status.fingerprint)
        try console.result(identity, identity.lines(console))
    }

    /// Returns the passphrase for a new home; nil for a home without one.
    static func passphrase(_ global: GlobalOptions, without: Bool) throws -> String? {
        if without { return nil }
        if let given = try Passphrase.given(global) { return given }
        guard Passphrase.canAsk else {
            throw ValidationError(
                "Give a passphrase by --passphrase-file or \(Passphrase.variable), or say --no-passphrase."
            )
        }
        return try Passphrase.askForNew()
    }
}

/// An identity as a command prints it.
struct IdentityOutput: Codable, Sendable {
    let id: String
    let name: String
    let fingerprint: String
    var trust: String?
    var number: String?
    /// The text of the QR code for a camera: the identity that it shows, and the peer that it is for.
    var code: String?

    func lines(_ console: Console) -> [String] {
        var table = Table()
        table.add("Name", name)
        table.add("Peer id", id)
        table.add("Fingerprint", fingerprint)
        if let trust { table.add("Trust", TrustText.word(trust)) }
        if let number { table.add("Safety number", SafetyNumberText.grouped(number)) }
        return table.lines
    }
}
