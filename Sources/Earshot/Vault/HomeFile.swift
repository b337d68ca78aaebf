import Foundation

/// The names of the files and folders in a home.
package enum HomeFile {
    /// The master key under a passphrase.
    static let vault = "vault.bin"
    /// The master key in the clear, for everyone who can read the file.
    static let key = "key.bin"
    /// The future `vault`, while the key changes.
    static let newVault = vault + ".new"
    /// The future `key`, while the key changes.
    static let newKey = key + ".new"
    /// The sealed history.
    static let history = "history.sqlite"
    /// The rollback anchor of the history.
    static let anchor = "anchor"
    /// The sealed envelopes that the mesh carries.
    static let meshLog = "mesh.log"
    /// The sealed blobs of messages.
    static let blobs = "blobs"
    /// The rooms that this node is in.
    static let rooms = "rooms"
    /// Plain copies of files that the user asked for.
    static let media = "media"
    /// The hubs of the command's nodes, with their logins.
    package static let hubs = "hubs"
    /// The mark of a home that is being erased.
    static let erasing = "erasing"
    /// The mark of a home in which an identity is being restored, and is not complete.
    static let restoring = "restoring"
    /// The lock, which names the process that has the home open.
    static let lock = "lock"

    /// Whether a home has a file or folder of this name.
    static func exists(_ name: String, in directory: URL) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }
}
