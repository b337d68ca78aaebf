import ArgumentParser
import EarshotRPC
import Foundation

extension TrustCommand {
    /// Revokes an identity, or writes the certificate that can revoke it later.
    struct Revoke: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke your identity for ever, or write the certificate that does.",
            discussion: """
                A certificate revokes the identity it was written by, and nothing else: whoever holds the file can do it, \
                from any home, when your own is lost or stolen. So write one with --export now, and keep it elsewhere. \
                Contacts who are told send nothing more to the identity and take nothing from it; nobody can undo that. \
                Under an identity that is revoked this home writes nothing; `trust rotate` then makes a new one, which \
                your contacts meet like a stranger's.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var confirmation: Confirmation
        @Option(help: "Only write the certificate of your identity into this file, which must not be there yet.")
        var export: String?
        @Option(help: "Revoke the identity whose certificate is in this file, and tell your contacts.")
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
            try confirmation.ask("Revoke \(whose) for ever? Nothing undoes it.", otherwise: "Nothing was revoked.")
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(RevokeIdentityCall(certificate: bytes))
                try console.result(reply, ["\(reply.id) is revoked."])
                if caller is LocalCaller { console.note("Your contacts are told as soon as a node runs on this home.") }
            }
        }

        private func write(to file: String, _ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                try NewFile.write(try await caller.call(RevocationCertificateCall()).certificate, to: file)
                try console.result(
                    ["path": file],
                    ["The certificate is in \(file). Keep it away from this machine: whoever has it can revoke you."]
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
                throw CommandFailure(.badData, "\(file) is no certificate: those have 128 bytes.")
            }
            return bytes
        }
    }
}
