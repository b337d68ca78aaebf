import ChatCrypto

/// The erasure of a home: first its keys, within milliseconds, then everything else.
///
/// A mark is made first and removed last. It shows that an erasure was cut off, and the next process that opens the
/// home finishes the erasure.
package enum HomeErasure {
    /// The steps that make the mark and destroy the keys; then nobody can read the rest.
    package static let keySteps: [HomeStep] =
        [.write(HomeFile.erasing, SecretBytes(copying: []))]
        + [
            HomeFile.vault, HomeFile.key, HomeFile.newVault, HomeFile.newKey, HomeFile.hubs, HomeFile.hubs + ".new",
        ].map(HomeStep.shred)

    /// The steps that delete the rest, and the mark.
    package static let otherSteps: [HomeStep] = [
        HomeFile.history, HomeFile.history + "-wal", HomeFile.history + "-shm", HomeFile.history + "-journal",
        HomeFile.history + "-wal.kept",
        HomeFile.anchor, HomeFile.restoring, HomeFile.media, HomeFile.blobs, HomeFile.meshLog,
        HomeFile.meshLog + ".new", HomeFile.rooms, "history.lock",
        "rpc.sock", "rpcnew", HomeFile.erasing,
    ].map(HomeStep.remove)
}
