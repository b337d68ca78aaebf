import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// The place of a room on the disk: a folder of the home with a random name, of which nothing is left when the room
/// ends.
///
/// Its contents are sealed under a key that is in the home's own store alone. Source: PROTOCOL §11.
struct RoomFolder: Hashable, Sendable {
    /// Shape: 16 bytes.
    let name: [UInt8]
    private let home: URL

    /// Units: bytes.
    static let nameByteCount = 16

    /// A folder that does not exist yet.
    init(in home: URL) {
        self.init(in: home, name: randomBytes(Self.nameByteCount))
    }

    /// The folder of this name.
    init(in home: URL, name: [UInt8]) {
        self.home = home
        self.name = name
    }

    private var url: URL { Self.all(in: home).appending(path: name.hex) }
    /// The folder of the room's blobs.
    var blobs: URL { url.appending(path: HomeFile.blobs) }
    /// The folder for plain copies that the user asks for; they are deleted with the room.
    var media: URL { url.appending(path: HomeFile.media) }

    /// Opens the history in the folder, or creates it.
    ///
    /// - Parameter newID: The id for a new history; nil for a random one.
    func openStore(newID: [UInt8]? = nil) throws(StoreError) -> SQLiteStore {
        do {
            try PrivateDirectory.make(url.path)
        } catch {
            throw StoreError(.readOnly, reason: "\(url.path) cannot be created. Check permissions and free space.")
        }
        guard let newID else { return try SQLiteStore(directory: url.path) }
        return try SQLiteStore(directory: url.path, newID: newID)
    }

    /// Deletes the folder and its contents.
    func destroy() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Deletes the folders of all rooms except these: a crash may leave folders of rooms whose keys are gone.
    static func sweep(_ home: URL, keeping folders: Set<[UInt8]>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: all(in: home).path)) ?? []
        let kept = Set(folders.map(\.hex))
        for name in names where !kept.contains(name) {
            try? FileManager.default.removeItem(at: all(in: home).appending(path: name))
        }
    }

    private static func all(in home: URL) -> URL { home.appending(path: HomeFile.rooms) }
}
