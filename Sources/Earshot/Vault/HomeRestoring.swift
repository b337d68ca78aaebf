import ChatCrypto

/// The beginning of a home with an identity of a backup: a mark that is taken away once the identity is on the disk.
///
/// As long as it is there, nobody makes another identity in the home, and restoring begins anew.
package enum HomeRestoring {
    /// The mark, and the end of what an attempt that was cut off has left.
    package static let firstSteps: [HomeStep] =
        [.write(HomeFile.restoring, SecretBytes(copying: []))]
        + [HomeFile.vault, HomeFile.key, HomeFile.newVault, HomeFile.newKey].map(HomeStep.shred)
        + [
            HomeFile.history, HomeFile.history + "-wal", HomeFile.history + "-shm", HomeFile.history + "-journal",
            HomeFile.history + "-wal.kept",
            HomeFile.anchor,
        ].map(HomeStep.remove)

    /// The end of the mark.
    package static let lastSteps: [HomeStep] = [.remove(HomeFile.restoring)]
}
