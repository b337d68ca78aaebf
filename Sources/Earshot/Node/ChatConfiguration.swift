import ChatCore
package import ChatCrypto
public import ChatHistory
public import Foundation
public import Logging

/// The place where a node keeps its data.
public enum Home: Hashable, Sendable {
    /// Memory: everything is gone with the process.
    case memory
    /// A directory that this node's process alone owns while it runs.
    case directory(URL)
}

/// Settings of a node, fixed once it is made.
public struct ChatConfiguration: Sendable {
    /// The nickname of a new identity; nil to require an existing one.
    public var name: String?
    /// The place of the node's data.
    public var home: Home
    /// The passphrase of the vault; nil for a home without one.
    public var passphrase: String?
    /// The time without user activity after which a node with a passphrase locks itself; nil for never.
    public var autoLock: Duration?
    /// The node's options for the mesh.
    public var mesh: MeshOptions
    /// Whether senders are notified when their messages have been read.
    public var sendsReadReceipts: Bool
    /// Whether contacts are notified that the user is typing.
    public var sendsTyping: Bool
    /// The cleaner of pictures and voice notes; without one, they can be sent as files only, unchanged.
    public var mediaCleaner: (any MediaCleaner)?
    /// A function that opens the store of a home's sealed rows, from the home's directory; nil for SQLite in it.
    ///
    /// It is called at every start and at every unlocking. Keys, files and rooms are in the home's directory in any
    /// case. If a store keeps data elsewhere, that data stays when the home is erased; the keys to it are gone.
    public var openStore: (@Sendable (URL) throws(StoreError) -> any MessageStore)?
    /// The space that files of messages may take in the home: sent and received ones, those on their way, and those of
    /// rooms.
    ///
    /// Incoming files beyond the limit wait until there is room; outgoing ones are refused. Files that are here stay
    /// when the limit is lowered. Units: bytes of files, which take up to 0.2 % more when sealed; 16 GiB by default.
    public var mediaByteLimit = ChatLimits.blobByteCount
    /// The node's log, which never contains a name, a text or a key.
    public var logger: Logger
    /// The error of the wall clock, for tests of code that must not depend on it.
    package var clockError = Duration.zero
    /// The identity for a new home; nil to make one.
    package var restored: IdentityBackup?
    /// The cost of one guess at a passphrase that this node sets.
    package var passphraseCost = PassphraseCost.standard
    /// The memory that the searched texts take at most; a room takes no more than the limit of rooms.
    ///
    /// Units: bytes.
    package var searchByteCount = SearchLimits.byteCount

    /// Makes settings.
    public init(
        name: String? = nil,
        home: Home = .memory,
        passphrase: String? = nil,
        autoLock: Duration? = nil,
        mesh: MeshOptions = MeshOptions(),
        sendsReadReceipts: Bool = false,
        sendsTyping: Bool = false,
        mediaCleaner: (any MediaCleaner)? = nil,
        logger: Logger = Logger(label: "earshot")
    ) {
        self.name = name
        self.home = home
        self.passphrase = passphrase
        self.autoLock = autoLock
        self.mesh = mesh
        self.sendsReadReceipts = sendsReadReceipts
        self.sendsTyping = sendsTyping
        self.mediaCleaner = mediaCleaner
        self.logger = logger
    }
}

/// The options of a node for the mesh.
public struct MeshOptions: Sendable, Hashable {
    /// Names of the interfaces to use; empty for all.
    public var interfaces: [String] = []
    /// Discovery groups as `ADDRESS:PORT`; empty for the default ones.
    public var discoveryGroups: [String] = []
    /// Whether the node looks for neighbours by multicast.
    public var usesMulticast = true
    /// Peers that the node always links to, as `HOST:PORT`.
    public var staticPeers: [String] = []
    /// The UDP port by which static peers reach this node; 0 for any.
    public var port: UInt16 = 0
    /// A passphrase that closes the mesh to nodes without it.
    public var passphrase: String?
    /// Whether the node only relays, with no identity of its own on the mesh.
    public var isRelayOnly = false

    /// Makes the defaults: open mesh, all interfaces, multicast.
    public init() {}
}
