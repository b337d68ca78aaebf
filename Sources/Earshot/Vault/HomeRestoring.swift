import ChatCrypto

/// The creation of a home with an identity from a backup: a mark is removed once the identity is on the disk.
///
/// While the mark is there, no other identity is made in the home, and restoring starts over.
package enum HomeRestoring {
    /// The steps that make the mark and delete the remains of an attempt that was cut off.
    package static let firstSteps: [HomeStep] =
        [.write(HomeFile.restoring, SecretBytes(copying: []))]
        + [HomeFile.vault, HomeFile.key, HomeFile.newVault, HomeFile.newKey].map(HomeStep.shred)
        + [
            HomeFile.history, HomeFile.history + "-wal", HomeFile.history + "-shm", HomeFile.history + "-journal",
            HomeFile.history + "-wal.kept",
            HomeFile.anchor,
        ].map(HomeStep.remove)

    /// The step that removes the mark.
    package static let lastSteps: [HomeStep] = [.remove(HomeFile.restoring)]
}
