import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// A node's directory: its lock, its vault and its store.
///
/// One process owns it at a time. Layout: ``HomeFile``. Source: PROTOCOL §11.
final class NodeHome: Sendable {
    let directory: URL
    private let lock: FileLock

    /// Takes the directory over, and creates it if there is none.
    ///
    /// - Throws: `erasing` after it has finished an erasure that was cut off; else the reason why the home cannot be
    ///   opened.
    convenience init(_ directory: URL) throws(ChatError) {
        do {
            try PrivateDirectory.make(directory.path)
        } catch {
            throw ChatError(.homeUnusable, "\(directory.path) cannot be created. Check the path and its permissions.")
        }
        try Self.checkPrivate(directory)
        #if canImport(Darwin)
            if !Self.isHome(directory) { Self.protect(directory) }
        #endif
        try self.init(existing: directory)
        do throws(ChatError) {
            if exists(HomeFile.erasing) {
                try erase()
                throw ChatError(
                    .erasing,
                    "The interrupted erasure of \(directory.path) is finished: nothing is left. "
                        + "Run the command again to start from scratch."
                )
            }
            // A change that was cut off may have left a key that nothing protects.
            for name in [HomeFile.newVault, HomeFile.newKey] where exists(name) {
                try HomeStep.shred(name).perform(in: directory)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Takes over an existing directory as it is, to erase it.
    init(existing directory: URL) throws(ChatError) {
        self.directory = directory
        do {
            lock = try FileLock(directory.appending(path: HomeFile.lock))
        } catch {
            guard error.code == .homeInUse, HomeFile.exists(HomeFile.erasing, in: directory) else { throw error }
            throw ChatError(.erasing, "\(directory.path) is being erased by another process.")
        }
    }

    /// Whether a directory holds a home, or what is left of one that is being erased.
    static func isHome(_ directory: URL) -> Bool {
        [HomeFile.vault, HomeFile.key, HomeFile.history, HomeFile.erasing, HomeFile.restoring].contains {
            HomeFile.exists($0, in: directory)
        }
    }

    /// Releases the directory.
    func close() {
        lock.release()
    }

    /// The files that hold the master key.
    var key: HomeKey { HomeKey(directory: directory) }

    /// Whether a history exists.
    var hasHistory: Bool { exists(HomeFile.history) }

    /// Whether the restoring of an identity was begun here and not completed.
    var isRestoring: Bool { exists(HomeFile.restoring) }

    // MARK: - The key

    /// Returns the master key from the vault or the key file.
    func openKey(_ protection: Home.Key) throws(ChatError) -> MasterKey {
        let opened = try key.open(protection)
        // A change between the two protections was cut off; the vault counts.
        if key.hasPassphrase, exists(HomeFile.key), let other = try? key.readFile(),
            other.secret.isEqual(to: opened.secret)
        {
            try [HomeStep.setAside(HomeFile.key, as: HomeFile.newKey), .shred(HomeFile.newKey)].perform(in: directory)
        }
        return opened
    }

    /// Creates a master key and stores it under a protection.
    func makeKey(_ protection: Home.Key, cost: PassphraseCost) throws(ChatError) -> MasterKey {
        let key = MasterKey()
        try KeyChange(of: key, to: protection, cost: cost).steps.perform(in: directory)
        return key
    }

    /// Puts the master key under another protection.
    func changeKey(from old: Home.Key, to new: Home.Key, cost: PassphraseCost) throws(ChatError) {
        if case .keyFile = old {
            guard !key.hasPassphrase else {
                throw ChatError(.hasPassphrase, "\(directory.path) already has a passphrase: change or remove it.")
            }
        } else if !key.hasPassphrase {
            throw ChatError(.noPassphrase, "\(directory.path) has no passphrase: set one first.")
        }
        try KeyChange(of: openKey(old), to: new, cost: cost).steps.perform(in: directory)
    }

    // MARK: - Erasing

    /// Destroys the keys of the home: from then on nobody can read its contents.
    func eraseKey() throws(ChatError) {
        try HomeErasure.keySteps.perform(in: directory)
    }

    /// Deletes everything, the key first, and the directory itself unless something else is in it.
    ///
    /// No file of it may be open.
    func erase() throws(ChatError) {
        try eraseKey()
        try HomeErasure.otherSteps.perform(in: directory)
        unlink(directory.appending(path: HomeFile.lock).path)
        rmdir(directory.path)
    }

    // MARK: - Files

    private func exists(_ name: String) -> Bool { HomeFile.exists(name, in: directory) }

    /// Throws if other users can look into the home, or if it belongs to another user.
    static func checkPrivate(_ directory: URL, user: UInt32 = geteuid()) throws(ChatError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        let owner = (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
        guard owner == nil || owner == user else {
            let reason = "\(directory.path) belongs to another user. Use a data directory of your own."
            throw ChatError(.homeUnusable, reason)
        }
        guard mode & 0o077 == 0 else {
            throw ChatError(.homeUnusable, "Others can read \(directory.path). Run 'chmod 700' on it.")
        }
    }
}
