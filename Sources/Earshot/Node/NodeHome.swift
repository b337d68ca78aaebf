import ChatCrypto
import ChatHistory
import Foundation

/// A node's directory: its lock, its vault and its store.
///
/// One process owns it at a time. Layout: ``HomeFile``. Source: PROTOCOL §11.
final class NodeHome: Sendable {
    let directory: URL
    private let lock: FileLock

    /// Takes the directory over, making it if there is none.
    ///
    /// - Throws: `erasing` where an erasure was cut off, after finishing it; else what keeps it from being opened.
    convenience init(_ directory: URL) throws(ChatError) {
        do {
            try PrivateDirectory.make(directory.path)
        } catch {
            throw ChatError(.homeUnusable, "\(directory.path) cannot be made: check the path and its permissions.")
        }
        try Self.checkPrivate(directory)
        try self.init(existing: directory)
        do throws(ChatError) {
            if exists(HomeFile.erasing) {
                try erase()
                throw ChatError(
                    .erasing,
                    "The erasure of \(directory.path) had been cut off and is finished: nothing is left. "
                        + "To begin anew, run the command again."
                )
            }
            // What a change that was cut off has left may be a key that nothing protects.
            for name in [HomeFile.newVault, HomeFile.newKey] where exists(name) {
                try HomeStep.shred(name).perform(in: directory)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Takes a directory over as it is, to erase it.
    init(existing directory: URL) throws(ChatError) {
        self.directory = directory
        do {
            lock = try FileLock(directory.appending(path: HomeFile.lock))
        } catch {
            guard error.code == .homeInUse, Self.exists(HomeFile.erasing, in: directory) else { throw error }
            throw ChatError(.erasing, "\(directory.path) is being erased by another process.")
        }
    }

    /// Whether a directory holds a home, or what is left of one that is being erased.
    static func isHome(_ directory: URL) -> Bool {
        [HomeFile.vault, HomeFile.key, HomeFile.history, HomeFile.erasing].contains { exists($0, in: directory) }
    }

    /// Gives the directory up.
    func close() {
        lock.release()
    }

    /// Whether a master key exists.
    var hasKey: Bool { hasPassphrase || exists(HomeFile.key) }

    /// Whether it is under a passphrase.
    var hasPassphrase: Bool { exists(HomeFile.vault) }

    /// Whether a history exists.
    var hasHistory: Bool { exists(HomeFile.history) }

    // MARK: - The key

    /// The master key, from the vault or the key file.
    func openKey(passphrase: String?) throws(ChatError) -> MasterKey {
        guard hasPassphrase else { return try readKeyFile() }
        guard let passphrase else {
            throw ChatError(.locked, "This home has a passphrase: give it by --passphrase-file or EARSHOT_PASSPHRASE.")
        }
        let key = try openVault(try read(HomeFile.vault), passphrase)
        // A change between the two protections was cut off, and the vault counts.
        if exists(HomeFile.key), let other = try? readKeyFile(), other.secret.isEqual(to: key.secret) {
            try [HomeStep.setAside(HomeFile.key, as: HomeFile.newKey), .shred(HomeFile.newKey)].perform(in: directory)
        }
        return key
    }

    /// Makes a master key and keeps it, under the passphrase if there is one.
    func makeKey(passphrase: String?, cost: PassphraseCost) throws(ChatError) -> MasterKey {
        let key = MasterKey()
        try KeyChange(of: key, to: passphrase, cost: cost).steps.perform(in: directory)
        return key
    }

    /// Puts the master key under another protection.
    func change(_ change: PassphraseChange, cost: PassphraseCost) throws(ChatError) {
        if case .set = change {
            guard !hasPassphrase else {
                throw ChatError(.hasPassphrase, "\(directory.path) has a passphrase already: change or remove it.")
            }
        } else if !hasPassphrase {
            throw ChatError(.noPassphrase, "\(directory.path) has no passphrase: set one first.")
        }
        let key = try openKey(passphrase: change.current)
        try KeyChange(of: key, to: change.new, cost: cost).steps.perform(in: directory)
    }

    private func readKeyFile() throws(ChatError) -> MasterKey {
        try checkOwnerOnly(HomeFile.key)
        do {
            return try MasterKey(keyFile: try readSecret(HomeFile.key))
        } catch let error as ChatError {
            throw error
        } catch {
            throw ChatError(.homeCorrupt, "key.bin in \(directory.path) is damaged: restore it from a backup.")
        }
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

    // MARK: - The end

    /// Destroys what opens the home: from here on nobody can read what is in it.
    func eraseKey() throws(ChatError) {
        try HomeErasure.keySteps.perform(in: directory)
    }

    /// Deletes everything, the key first, and the directory itself unless something else is in it.
    ///
    /// Nothing may have a file of it open.
    func erase() throws(ChatError) {
        try eraseKey()
        try HomeErasure.otherSteps.perform(in: directory)
        unlink(directory.appending(path: HomeFile.lock).path)
        rmdir(directory.path)
    }

    // MARK: - Files

    private func exists(_ name: String) -> Bool { Self.exists(name, in: directory) }

    private static func exists(_ name: String, in directory: URL) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }

    private func read(_ name: String) throws(ChatError) -> [UInt8] {
        guard let data = try? Data(contentsOf: directory.appending(path: name)), data.count <= 4_096 else {
            throw ChatError(.homeUnusable, "\(directory.path)/\(name) cannot be read: check its permissions.")
        }
        return [UInt8](data)
    }

    /// The bytes of a file, which come into no memory but their own.
    private func readSecret(_ name: String) throws(ChatError) -> SecretBytes {
        let path = directory.appending(path: name).path
        let refused = ChatError(.homeUnusable, "\(path) cannot be read: check its permissions.")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw refused }
        defer { Foundation.close(file) }
        let size = lseek(file, 0, SEEK_END)
        guard (0...4_096).contains(size) else { throw refused }
        var count = 0
        let secret = SecretBytes(count: Int(size)) { count = pread(file, $0.baseAddress, $0.count, 0) }
        guard count == secret.count else { throw refused }
        return secret
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
