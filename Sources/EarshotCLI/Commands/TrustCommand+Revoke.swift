import ArgumentParser
import EarshotRPC
import Foundation

extension TrustCommand {
    /// Revokes an identity, or writes the certificate that can revoke it later.
    struct Revoke: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke your identity forever, or write a revocation certificate.",
            discussion: """
                A certificate revokes the identity that wrote it, and no other. Anybody who has the file can revoke \
                that identity from any data directory, for example if yours is lost or stolen. So write one with \
                --export now, and keep it elsewhere. Contacts that are notified send nothing more to the identity \
                and accept nothing from it; nobody can undo that. A revoked identity can send nothing. `trust \
                rotate` then makes a new one, which is an unknown peer to your contacts.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var confirmation: Confirmation
        @Option(help: "Write the certificate of your identity to this new file, and revoke nothing.")
        var export: String?
        @Option(help: "Revoke the identity of the certificate in this file, and notify your contacts.")
        var certificate: String?

        func validate() throws {
            guard export == nil || certificate == nil else {
                throw ValidationError("Give --export or --certificate, not both.")
            }
        }

        func perform(_ console: Console) async throws {
            if let export { return try await write(to: export, console) }
            let bytes = try certificate.map(Self.read)
            let whose = bytes == nil ? "your identity" : "the identity of this certificate"
            try confirmation.ask("Revoke \(whose) forever? This cannot be undone.", otherwise: "Nothing was revoked.")
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(RevokeIdentityCall(certificate: bytes))
                try console.result(reply, ["\(reply.id) is revoked."])
                if caller is LocalCaller {
                    console.note("Your contacts are notified as soon as a node runs in this data directory.")
                }
            }
        }

        private func write(to file: String, _ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                try NewFile.write(try await caller.call(RevocationCertificateCall()).certificate, to: file)
                try console.result(
                    ["path": file],
                    [
                        """
                        The certificate is in \(file). Keep it away from this machine: anybody who has it can revoke \
                        your identity.
                        """
                    ]
                )
            }
        }

        /// Reads a certificate, and one byte more to recognise a file that is longer.
        private static func read(_ file: String) throws -> Data {
            guard let handle = FileHandle(forReadingAtPath: file) else {
                throw CommandFailure(.badData, "\(file) cannot be read.")
            }
            defer { try? handle.close() }
            guard let bytes = try? handle.read(upToCount: 129), bytes.count == 128 else {
                throw CommandFailure(.badData, "\(file) is not a certificate: a certificate has 128 bytes.")
            }
            return bytes
        }
    }
}
