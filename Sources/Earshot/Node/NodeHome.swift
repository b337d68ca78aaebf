import ChatCrypto
import ChatHistory
import Foundation

/// A node's directory: its lock, its vault and its store.
///
/// One process owns it at a time.
/// Layout: `lock` (who owns it), `vault.bin` (the master key under a passphrase) or `key.bin` (the master key, readable by
/// the owner alone), `history.sqlite`, `mesh.log` (sealed envelopes as the mesh carries them), `rpc.sock`. Source: PROTOCOL §11.
final class NodeHome: Sendable {
    let directory: URL
    private let lock: FileLock

    /// Takes the directory over, making it if there is none.
    init(_ directory: URL) throws(ChatError) {
        self.directory = directory
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ChatError(.homeUnusable, "\(directory.path) cannot be made: check the path and its permissions.")
        }
        try Self.checkPrivate(directory)
        lock = try FileLock(directory.appending(path: "lock"))
    }

    /// Gives the directory up.
    func close() {
        lock.release()
    }

    /// Whether a master key exists.
    var hasKey: Bool { exists("vault.bin") || exists("key.bin") }

    /// Whether a history exists.
    var hasHistory: Bool { exists("history.sqlite") }

    /// The master key, from the vault or the key file.
    func openKey(passphrase: String?) throws(ChatError) -> MasterKey {
        guard exists("vault.bin") else {
            try checkOwnerOnly("key.bin")
            do {
                return try MasterKey(keyFile: SecretBytes(copying: try read("key.bin")))
            } catch let error as ChatError {
                throw error
            } catch {
                throw ChatError(.homeCorrupt, "key.bin in \(directory.path) is damaged: restore it from a backup.")
            }
        }
        guard let passphrase else {
            throw ChatError(.locked, "This home has a passphrase: give it by --passphrase-file or EARSHOT_PASSPHRASE.")
        }
        return try openVault(try read("vault.bin"), passphrase)
    }

    /// Makes a master key and keeps it, under the passphrase if there is one.
    func makeKey(passphrase: String?) throws(ChatError) -> MasterKey {
        let key = MasterKey()
        guard let passphrase else {
            try write(key.keyFile.withBytes { Array($0) }, to: "key.bin")
            return key
        }
        let vault: VaultFile
        do {
            let secret = SecretBytes(normalizing: passphrase)
            vault = try VaultFile(closing: key, passphrase: secret, cost: .standard)
        } catch {
            throw ChatError(.homeUnusable, "The vault could not be made: \(error.reason)")
        }
        try write(vault.bytes, to: "vault.bin")
        return key
    }

    private func openVault(_ bytes: [UInt8], _ passphrase: String) throws(ChatError) -> MasterKey {
        do {
            return try VaultFile(decoding: bytes).open(passphrase: SecretBytes(normalizing: passphrase))
        } catch {
            switch error.code {
            case .wrongPassphrase: throw ChatError(.locked, "The passphrase is wrong.")
            case .unknownVersion: throw ChatError(.homeNewer, "vault.bin: \(error.reason) Update Earshot.")
            case .outOfMemory: throw ChatError(.homeUnusable, "Opening the vault needs more free memory.")
            default: throw ChatError(.homeCorrupt, "vault.bin: \(error.reason) Restore it from a backup.")
            }
        }
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }

    private func read(_ name: String) throws(ChatError) -> [UInt8] {
        guard let data = try? Data(contentsOf: directory.appending(path: name)), data.count <= 4_096 else {
            throw ChatError(.homeUnusable, "\(directory.path)/\(name) cannot be read: check its permissions.")
        }
        return [UInt8](data)
    }

    /// Writes a file that only the owner reads, whole or not at all, and never over another.
    private func write(_ bytes: [UInt8], to name: String) throws(ChatError) {
        let final = directory.appending(path: name)
        let temporary = directory.appending(path: name + ".new")
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ChatError(.homeUnusable, "\(directory.path) cannot be written: check its permissions and free space.")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
            try file.close()
            try FileManager.default.linkItem(at: temporary, to: final)
            try FileManager.default.removeItem(at: temporary)
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw ChatError(.homeUnusable, "\(final.path) cannot be written: check permissions and free space.")
        }
    }

    private static func checkPrivate(_ directory: URL) throws(ChatError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw ChatError(.homeUnusable, "Others may look into \(directory.path): run 'chmod 700' on it.")
        }
    }

    private func checkOwnerOnly(_ name: String) throws(ChatError) {
        let path = directory.appending(path: name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw ChatError(.homeUnusable, "Others may read \(path): run 'chmod 600' on it.")
        }
    }
}
