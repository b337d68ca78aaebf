import Foundation

/// The names of what is in a home.
enum HomeFile {
    /// The master key under a passphrase.
    static let vault = "vault.bin"
    /// The master key for whoever may read the file.
    static let key = "key.bin"
    /// What is to become `vault`.
    static let newVault = vault + ".new"
    /// What is to become `key`.
    static let newKey = key + ".new"
    /// The sealed history.
    static let history = "history.sqlite"
    /// How far the history is, beside it.
    static let anchor = "anchor"
    /// The sealed envelopes that the mesh carries.
    static let meshLog = "mesh.log"
    /// The sealed objects of messages.
    static let blobs = "blobs"
    /// The rooms that this node is in.
    static let rooms = "rooms"
    /// Plain copies of files that the user asked for.
    static let media = "media"
    /// Says that all of this is to go.
    static let erasing = "erasing"
    /// Says that an identity is being restored, and not all of it is here.
    static let restoring = "restoring"
    /// Who has the home open.
    static let lock = "lock"

    /// Whether a home has a file or folder of this name.
    static func exists(_ name: String, in directory: URL) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }
}
