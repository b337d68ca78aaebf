import ChatCore
import ChatCrypto
import Foundation

/// The files of a home that hold its master key; this type does not change them.
struct HomeKey: Sendable {
    let directory: URL

    /// Units: bytes that are read from a file at most.
    private static let readByteCount = 512

    /// Whether there is a key.
    var exists: Bool { hasPassphrase || HomeFile.exists(HomeFile.key, in: directory) }

    /// Whether the key is under a passphrase.
    var hasPassphrase: Bool { HomeFile.exists(HomeFile.vault, in: directory) }

    /// Reads the master key from the vault or the key file.
    func open(_ key: Home.Key) throws(ChatError) -> MasterKey {
        hasPassphrase ? try openVault(HomeFile.vault, key) : try readFile(HomeFile.key)
    }

    /// Reads the master key from any of the files that still has it, also from those of a change that was cut off.
    func rescue(_ key: Home.Key) throws(ChatError) -> MasterKey {
        let vaults = [HomeFile.vault, HomeFile.newVault].filter { HomeFile.exists($0, in: directory) }
        let files = [HomeFile.key, HomeFile.newKey].filter { HomeFile.exists($0, in: directory) }
        var refusal: ChatError?
        for name in vaults + files {
            do throws(ChatError) {
                return vaults.contains(name) ? try openVault(name, key) : try readFile(name)
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? ChatError(
                .homeCorrupt,
                "\(directory.path) holds no key. Put vault.bin or key.bin of a backup there."
            )
    }

    /// Reads the master key from the key file.
    func readFile(_ name: String = HomeFile.key) throws(ChatError) -> MasterKey {
        try checkOwnerOnly(name)
        let bytes = try readSecret(name)
        do {
            return try MasterKey(keyFile: bytes)
        } catch {
            throw ChatError(.homeCorrupt, "\(name) in \(directory.path) is damaged. Restore it from a backup.")
        }
    }

    private func openVault(_ name: String, _ key: Home.Key) throws(ChatError) -> MasterKey {
        guard let secret = key.secret else {
            throw ChatError(
                .locked,
                "This data directory has a passphrase. Give it by --passphrase-file or EARSHOT_PASSPHRASE."
            )
        }
        let bytes = try read(name)
        do {
            return try VaultFile(decoding: bytes).open(passphrase: secret)
        } catch {
            switch error.code {
            case .wrongPassphrase: throw ChatError(.locked, "The passphrase is wrong.")
            case .unknownVersion: throw ChatError(.homeNewer, "\(name): \(error.reason) Update Earshot.")
            case .outOfMemory: throw ChatError(.homeUnusable, "Opening the vault needs more free memory.")
            default: throw ChatError(.homeCorrupt, "\(name): \(error.reason) Restore it from a backup.")
            }
        }
    }

    private func read(_ name: String) throws(ChatError) -> [UInt8] {
        let path = directory.appending(path: name).path
        do {
            // A longer file is wrong in any case, so its beginning suffices.
            return try OpenFile(path, O_RDONLY).read(Self.readByteCount, at: 0)
        } catch {
            throw ChatError(.homeUnusable, "\(path) cannot be read. Check its permissions.")
        }
    }

    /// Reads the bytes of a file directly into protected memory.
    private func readSecret(_ name: String) throws(ChatError) -> SecretBytes {
        let path = directory.appending(path: name).path
        let refused = ChatError(.homeUnusable, "\(path) cannot be read. Check its permissions.")
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw refused }
        defer { Foundation.close(file) }
        // A longer file is wrong in any case, so its beginning suffices.
        let size = min(lseek(file, 0, SEEK_END), off_t(Self.readByteCount))
        guard size >= 0 else { throw refused }
        var count = 0
        let secret = SecretBytes(count: Int(size)) { count = pread(file, $0.baseAddress, $0.count, 0) }
        guard count == secret.count else { throw refused }
        return secret
    }

    private func checkOwnerOnly(_ name: String) throws(ChatError) {
        let path = directory.appending(path: name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw ChatError(.homeUnusable, "Others can read \(path). Run 'chmod 600' on it.")
        }
    }
}
