import ChatCore
package import ChatCrypto
public import ChatHistory
public import Foundation
public import Logging

/// Where a node keeps what it must remember.
public enum Home: Hashable, Sendable {
    /// Nowhere: all is gone with the process.
    case memory
    /// A directory that this node's process alone owns while it runs.
    case directory(URL)
}

/// Settings of a node, fixed once it is made.
public struct ChatConfiguration: Sendable {
    /// The nickname for an identity to be made; nil to require one that exists.
    public var name: String?
    /// Where everything is kept.
    public var home: Home
    /// The passphrase of the vault; nil for a home without one.
    public var passphrase: String?
    /// After what time without the user a node with a passphrase locks itself; nil for never.
    public var autoLock: Duration?
    /// How the node takes part in the mesh.
    public var mesh: MeshOptions
    /// Whether senders are told when their messages have been looked at.
    public var sendsReadReceipts: Bool
    /// Whether contacts are told that somebody types here.
    public var sendsTyping: Bool
    /// What makes pictures and voice notes fit to be sent; without it they go as files only, as they are.
    public var mediaCleaner: (any MediaCleaner)?
    /// Opens the store of a home's sealed rows, from the home's directory; nil for SQLite in there.
    ///
    /// Called at every start and unlocking. Keys, files and rooms are in the home's directory all the same. What a store
    /// keeps outside of it stays when the home is erased, under keys that are gone.
    public var openStore: (@Sendable (URL) throws(StoreError) -> any MessageStore)?
    /// How much the files of messages may take in the home, own and others', here and on their way, rooms included.
    ///
    /// What comes beyond it waits until something goes, own files are refused. What is here already stays when the limit
    /// is lowered. Units: bytes of files, which sealed take up to 0.2 % more; 16 GiB by default.
    public var mediaByteLimit = ChatLimits.blobByteCount
    /// Where the node logs; never a name, a text or a key.
    public var logger: Logger
    /// The error of the wall clock, for tests of what must not depend on it.
    package var clockError = Duration.zero
    /// The identity that a new home is to hold; nil to make one.
    package var restored: IdentityBackup?
    /// What a guess at a passphrase costs that is set by this node.
    package var passphraseCost = PassphraseCost.standard
    /// What the texts that are searched take in memory at most; of a room no more than rooms may.
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

/// How a node takes part in the mesh.
public struct MeshOptions: Sendable, Hashable {
    /// Names of the interfaces to use; empty for all.
    public var interfaces: [String] = []
    /// Discovery groups as `ADDRESS:PORT`; empty for the default ones.
    public var discoveryGroups: [String] = []
    /// Whether neighbours are looked for by multicast.
    public var usesMulticast = true
    /// Peers to link to always, as `HOST:PORT`.
    public var staticPeers: [String] = []
    /// The UDP port that static peers reach this node by; 0 for any.
    public var port: UInt16 = 0
    /// A passphrase that closes the mesh to all who do not have it.
    public var passphrase: String?
    /// Whether the node only relays, with no identity of its own on the mesh.
    public var isRelayOnly = false

    /// Makes the defaults: open mesh, all interfaces, multicast.
    public init() {}
}
