public import ChatCore
public import ChatCrypto
public import ChatHistory
public import Foundation
public import Logging
public import MeshTransport

/// The place where a node keeps its data.
public enum Home: Sendable {
    /// The protection of the key that seals everything in a home.
    public enum Key: Sendable {
        /// A file beside the data, which only its owner can read: whoever reads the files can read everything.
        case keyFile
        /// A passphrase, whose stretching takes most of a second.
        case passphrase(String)
        /// 32 bytes that the application keeps elsewhere, such as in a keychain or a security chip.
        ///
        /// No file of the home holds them: without them the home is lost.
        case provided(SecretBytes)
    }

    /// Memory: everything is gone with the process.
    case memory
    /// A directory that this node's process alone owns while it runs.
    case directory(URL, key: Key = .keyFile)

    /// The directory; nil for memory.
    var directory: URL? {
        guard case .directory(let directory, _) = self else { return nil }
        return directory
    }
}

/// Settings of a node, fixed while it is open.
public struct ChatConfiguration: Sendable {
    /// The time without user activity after which a node with a passphrase locks itself; nil for never.
    public var autoLock: Duration?
    /// The node's options for the mesh.
    public var mesh: MeshOptions
    /// Whether senders are notified when their messages have been read.
    public var sendsReadReceipts: Bool
    /// Whether contacts are notified that the user is typing.
    public var sendsTyping: Bool
    /// Whether direct messages and receipts are posted to everybody, or carried to their recipients.
    public var delivery: DeliverySetting
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
    /// The destination of the metrics of the mesh; nil for the program's own one.
    public var metrics: MeshNode.MetricsReceiver?
    /// The node's log, which never contains a name, a text or a key.
    public var logger: Logger
    /// The node's clocks and mesh; tests can replace them.
    package var environment: any NodeEnvironment = SystemEnvironment()
    /// The cost of one guess at a passphrase that this node sets.
    package var passphraseCost = PassphraseCost.standard
    /// The memory that the searched texts take at most; a room takes no more than the limit of rooms.
    ///
    /// Units: bytes.
    package var searchByteCount = SearchLimits.byteCount

    /// Makes settings.
    public init(
        autoLock: Duration? = nil,
        mesh: MeshOptions = MeshOptions(),
        sendsReadReceipts: Bool = false,
        sendsTyping: Bool = false,
        delivery: DeliverySetting = .auto,
        mediaCleaner: (any MediaCleaner)? = nil,
        logger: Logger = Logger(label: "earshot")
    ) {
        self.autoLock = autoLock
        self.mesh = mesh
        self.sendsReadReceipts = sendsReadReceipts
        self.sendsTyping = sendsTyping
        self.delivery = delivery
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
    /// Streams on which the node links besides UDP, as `tcp:HOST:PORT`, `listen:PORT`, `listen:ADDRESS:PORT` or
    /// `exec:COMMAND`.
    public var carriers: [String] = []
    /// The UDP port by which static peers reach this node; 0 for any.
    public var port: UInt16 = 0
    /// A passphrase that closes the mesh to nodes without it.
    public var passphrase: String?
    /// Whether the node only relays, with no identity of its own on the mesh.
    public var isRelayOnly = false

    /// Makes the defaults: open mesh, all interfaces, multicast.
    public init() {}
}
