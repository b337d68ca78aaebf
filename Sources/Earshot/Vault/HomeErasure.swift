import ChatCrypto

/// The end of a home: first what opens it, within milliseconds, then everything else.
///
/// A mark that is made first and taken away last tells of an erasure that was cut off; whoever opens the home next
/// finishes it.
package enum HomeErasure {
    /// The mark, and the end of the key: what is left can be read by nobody.
    package static let keySteps: [HomeStep] =
        [.write(HomeFile.erasing, SecretBytes(copying: []))]
        + [HomeFile.vault, HomeFile.key, HomeFile.newVault, HomeFile.newKey].map(HomeStep.shred)

    /// The end of the rest, and of the mark.
    package static let otherSteps: [HomeStep] = [
        HomeFile.history, HomeFile.history + "-wal", HomeFile.history + "-shm", HomeFile.history + "-journal",
        HomeFile.history + "-wal.kept",
        HomeFile.anchor, HomeFile.restoring, HomeFile.media, HomeFile.blobs, HomeFile.meshLog,
        HomeFile.meshLog + ".new", HomeFile.rooms, "history.lock",
        "rpc.sock", "rpcnew", HomeFile.erasing,
    ].map(HomeStep.remove)
}
