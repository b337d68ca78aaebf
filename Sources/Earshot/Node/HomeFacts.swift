package import Foundation

/// The state of a home as seen from outside, without opening or changing it.
package struct HomeFacts: Hashable, Sendable {
    /// The protection of the master key.
    package enum Key: Hashable, Sendable {
        /// There is no key, so no identity.
        case missing
        /// A passphrase.
        case passphrase
        /// Nothing but the permissions of a file.
        case file
    }

    /// The process that has the home open.
    package enum Owner: Hashable, Sendable {
        /// No process.
        case nobody
        /// A process, by its number if it told one.
        case process(Int?)
    }

    /// The path of the directory.
    package var path: String
    /// Whether the directory exists.
    package var exists = true
    /// The permissions of the directory.
    package var mode = 0o700
    /// The permissions of the file that holds the key, if there is one.
    package var keyMode: Int?
    /// Whether the directory belongs to the user of this process.
    package var isOwn = true
    /// The protection of the master key.
    package var key = Key.missing
    /// The process that has the home open.
    package var owner = Owner.nobody
    /// The time at which a file in it was last changed.
    package var lastChange: Date?

    /// Describes a home without identity at a path.
    package init(path: String) {
        self.path = path
    }

    /// Reads the facts of a directory.
    package init(lookingAt directory: URL) {
        self.init(path: directory.path)
        let files = FileManager.default
        guard let attributes = try? files.attributesOfItem(atPath: directory.path) else {
            exists = false
            return
        }
        mode = Self.mode(attributes)
        isOwn = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
        for (name, kind) in [(HomeFile.vault, Key.passphrase), (HomeFile.key, .file)] where key == .missing {
            let path = directory.appending(path: name).path
            guard let attributes = try? files.attributesOfItem(atPath: path) else { continue }
            key = kind
            keyMode = Self.mode(attributes)
        }
        owner = FileLock.owner(of: directory.appending(path: HomeFile.lock))
        let names = (try? files.contentsOfDirectory(atPath: directory.path)) ?? []
        lastChange = names.compactMap { name in
            let attributes = try? files.attributesOfItem(atPath: directory.appending(path: name).path)
            return attributes?[.modificationDate] as? Date
        }.max()
    }

    private static func mode(_ attributes: [FileAttributeKey: Any]) -> Int {
        (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
