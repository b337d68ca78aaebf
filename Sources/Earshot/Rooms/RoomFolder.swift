import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// Where a room is on the disk: a folder of the home, named by chance, of which nothing is left when the room ends.
///
/// What is in it is sealed under a key that is in the home's own store alone. Source: PROTOCOL §11.
struct RoomFolder: Hashable, Sendable {
    /// Shape: 16 bytes.
    let name: [UInt8]
    private let home: URL

    /// Units: bytes.
    static let nameByteCount = 16

    /// A folder that is not there yet.
    init(in home: URL) {
        self.init(in: home, name: randomBytes(Self.nameByteCount))
    }

    /// The folder of this name.
    init(in home: URL, name: [UInt8]) {
        self.home = home
        self.name = name
    }

    private var url: URL { Self.all(in: home).appending(path: name.hex) }
    /// Where the room's objects are.
    var blobs: URL { url.appending(path: HomeFile.blobs) }
    /// Where plain copies go that the user asks for; they are gone with the room.
    var media: URL { url.appending(path: HomeFile.media) }

    /// Opens the history in there, or makes it.
    ///
    /// - Parameter newID: The id of a history that is made; nil for a random one.
    func openStore(newID: [UInt8]? = nil) throws(StoreError) -> SQLiteStore {
        do {
            try PrivateDirectory.make(url.path)
        } catch {
            throw StoreError(.readOnly, reason: "\(url.path) cannot be made: check permissions and free space.")
        }
        guard let newID else { return try SQLiteStore(directory: url.path) }
        return try SQLiteStore(directory: url.path, newID: newID)
    }

    /// Deletes all that is in it, and the folder.
    func destroy() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Destroys all rooms' folders but these: what a crash left of rooms whose keys are gone.
    static func sweep(_ home: URL, keeping folders: Set<[UInt8]>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: all(in: home).path)) ?? []
        let kept = Set(folders.map(\.hex))
        for name in names where !kept.contains(name) {
            try? FileManager.default.removeItem(at: all(in: home).appending(path: name))
        }
    }

    private static func all(in home: URL) -> URL { home.appending(path: HomeFile.rooms) }
}
