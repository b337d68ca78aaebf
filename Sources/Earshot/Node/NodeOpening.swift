import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import MeshCore

/// The result of opening a home: its lock, its records and the engine as it was left.
///
/// All records are read and checked before any is written; a store that cannot be opened is left as it is. Before that,
/// the home finishes an erasure, a change of its keys or a restoration that was interrupted.
struct NodeOpening {
    var home: NodeHome?
    let store: any MessageStore
    let recordStore: RecordStore
    let blobs: BlobFolder
    let engine: ChatEngine
    /// Whether this opening has created the identity.
    let isCreated: Bool
    /// The keys of the home's records, which open it again without its master key; nil for memory and rooms.
    let seals: RecordSeals?

    init(_ request: NodeRequest, _ configuration: ChatConfiguration) throws(ChatError) {
        do {
            try CryptoStart.check()
        } catch {
            throw ChatError(.cryptographyUnavailable, error.reason)
        }
        let nickname = try request.name.map { name throws(ChatError) in try Self.nickname(name) }
        switch request.home {
        case .memory:
            guard let nickname else { throw ChatError(.noIdentity, "A node in memory needs a name.") }
            try self.init(inMemory: nickname, at: configuration.time)
        case .directory(let directory, let key):
            let home = try NodeHome(directory)
            do throws(ChatError) {
                try self.init(configuration, home, nickname, key: .protected(key), restored: request.restored)
                guard !request.isNew || isCreated else {
                    try? store.close()
                    throw Self.alreadyInitialised(directory)
                }
            } catch {
                home.close()
                // Only a home that has an identity is under another passphrase.
                throw request.isNew && error.code == .locked ? Self.alreadyInitialised(directory) : error
            }
        }
    }

    /// The way to a home's master key.
    enum Key {
        /// The key is in the home, under this protection.
        case protected(Home.Key)
        /// The keys of the records of a home that this node has suspended.
        case suspended(SuspendedHome)
    }

    /// Opens a home that this process already owns.
    init(
        _ configuration: ChatConfiguration,
        _ home: NodeHome,
        _ nickname: Nickname? = nil,
        key: Key,
        restored: IdentityBackup? = nil
    ) throws(ChatError) {
        self.home = home
        blobs = BlobFolder(home.directory.appending(path: HomeFile.blobs))
        let opened = try Self.open(home, configuration, nickname, blobs, key, restored)
        (seals, store, recordStore, engine, isCreated) = opened
    }

    /// Makes an empty engine, for a locked node.
    init(blankAt time: ChatTime) throws(ChatError) {
        try self.init(inMemory: Self.nickname("locked"), at: time)
    }

    /// Makes a new identity that is stored nowhere.
    private init(inMemory nickname: Nickname, at time: ChatTime) throws(ChatError) {
        let store = MemoryStore()
        let seals = RecordSeals(masterKey: MasterKey(), databaseID: store.databaseID)
        let recordStore = RecordStore(store: store, keys: seals)
        let blobs = BlobFolder()
        let engine = try Self.makeEngine(nickname, seals, recordStore, blobs, at: time)
        self.init(home: nil, store: store, recordStore: recordStore, blobs: blobs, engine: engine)
    }

    /// Returns the engine with these settings, and with its share of the home's space for files.
    func engine(as configuration: ChatConfiguration, _ share: MediaQuotaShare) -> ChatEngine {
        var engine = engine
        engine.attachments.join(share)
        engine.sendsReadReceipts = configuration.sendsReadReceipts
        engine.sendsTyping = configuration.sendsTyping
        engine.delivery = configuration.delivery
        return engine
    }

    private static func open(
        _ home: NodeHome,
        _ configuration: ChatConfiguration,
        _ nickname: Nickname?,
        _ blobs: BlobFolder,
        _ key: Key,
        _ restored: IdentityBackup?
    ) throws(ChatError) -> (RecordSeals, any MessageStore, RecordStore, ChatEngine, isCreated: Bool) {
        try prepareRestoring(in: home, restored)
        if configuration.openStore == nil { try checkHistory(of: home) }
        let makeSeals = try seals(of: home, configuration, nickname, key)
        let store = try openStore(of: home, configuration)
        guard let seals = makeSeals(store.databaseID) else {
            if let store = store as? SQLiteStore { store.leave() } else { try? store.close() }
            throw ChatError(.homeCorrupt, "\(home.directory.path) has another history than before. Create a new node.")
        }
        let recordStore = RecordStore(store: store, keys: seals)
        do {
            let anchor = AnchorFile(directory: home.directory.path)
            if let engine = try restore(seals, recordStore, blobs, anchor, at: configuration.time) {
                if home.isRestoring { try HomeRestoring.lastSteps.perform(in: home.directory) }
                return (seals, store, recordStore, engine, false)
            }
            guard try recordStore.count(.identity) == 0 else {
                throw ChatError(
                    .homeCorrupt,
                    "The key in \(home.directory.path) does not fit its history. Restore both from one backup."
                )
            }
            // The records of the identity may be lost with the end of the log, or with a program's own store.
            guard try !anchor.impliesHistory else { throw lostHistory(of: home) }
        } catch {
            // A store that cannot be used stays as it is.
            if let store = store as? SQLiteStore { store.leave() } else { try? store.close() }
            throw ChatError(error)
        }
        do throws(ChatError) {
            let engine = try complete(home, configuration, nickname, seals, recordStore, blobs, restored?.identity)
            return (seals, store, recordStore, engine, true)
        } catch {
            try? store.close()
            throw error
        }
    }

    private static func alreadyInitialised(_ directory: URL) -> ChatError {
        ChatError(
            .alreadyInitialised,
            "\(directory.path) has an identity already: open it, or choose another home."
        )
    }

    private static func openStore(
        of home: NodeHome,
        _ configuration: ChatConfiguration
    ) throws(ChatError) -> any MessageStore {
        do {
            return try configuration.openStore?(home.directory) ?? SQLiteStore(directory: home.directory.path)
        } catch {
            throw ChatError(error)
        }
    }

    /// Marks a home in which an identity will be restored; throws if an earlier restoring was cut off early.
    private static func prepareRestoring(in home: NodeHome, _ restored: IdentityBackup?) throws(ChatError) {
        if restored != nil {
            guard home.isRestoring || !home.key.exists && !home.hasHistory else {
                throw ChatError(
                    .alreadyInitialised,
                    "\(home.directory.path) already holds an identity. Choose another data directory."
                )
            }
            try HomeRestoring.firstSteps.perform(in: home.directory)
        } else if home.isRestoring, !home.hasHistory {
            throw cutOffRestoring(of: home)
        }
    }

    /// Makes the identity of a new home, or of a home whose making was cut off after the key.
    private static func complete(
        _ home: NodeHome,
        _ configuration: ChatConfiguration,
        _ nickname: Nickname?,
        _ seals: RecordSeals,
        _ recordStore: RecordStore,
        _ blobs: BlobFolder,
        _ backup: Identity?
    ) throws(ChatError) -> ChatEngine {
        guard backup != nil || !home.isRestoring else { throw cutOffRestoring(of: home) }
        guard let nickname else { throw noIdentity(in: home.directory) }
        let engine = try makeEngine(nickname, seals, recordStore, blobs, of: backup, at: configuration.time)
        if backup != nil { try HomeRestoring.lastSteps.perform(in: home.directory) }
        return engine
    }

    private static func cutOffRestoring(of home: NodeHome) -> ChatError {
        ChatError(
            .restoring,
            """
            The restore of an identity in \(home.directory.path) was interrupted. Run 'earshot identity restore' \
            again,
            """
                + "or 'earshot erase --everything' to give it up."
        )
    }

    /// Throws if the anchor tells of a history that is not there.
    private static func checkHistory(of home: NodeHome) throws(ChatError) {
        let path = home.directory.appending(path: HomeFile.history).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard !home.hasHistory || (attributes?[.size] as? NSNumber)?.intValue == 0 else { return }
        let isExpected: Bool
        do {
            isExpected = try AnchorFile(directory: home.directory.path).impliesHistory
        } catch {
            throw ChatError(error)
        }
        guard !isExpected else { throw lostHistory(of: home) }
    }

    private static func lostHistory(of home: NodeHome) -> ChatError {
        ChatError(
            .homeCorrupt,
            """
            \(home.directory.path)/\(HomeFile.history) is missing or empty, or its log is damaged, but there was a \
            history.
            """
                + """
                \(ChatError.rescue) Or restore the file from a backup, or run 'earshot erase --everything' to \
                start from scratch.
                """
        )
    }

    /// Restores the engine and the watch over its store; nil if no identity was ever made in it.
    private static func restore(
        _ seals: RecordSeals,
        _ recordStore: RecordStore,
        _ blobs: BlobFolder,
        _ anchor: AnchorFile?,
        of room: RoomState? = nil,
        at time: ChatTime
    ) throws -> ChatEngine? {
        let hasDigests = try recordStore.startWatching(anchor: anchor)
        try recordStore.finishErasures()
        let step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        guard var engine = try ChatEngine(restoring: seals.secrets, of: room, in: step) else { return nil }
        // If records may be missing, their files stay, so that they can be rescued.
        if recordStore.isUntouched { blobs.sweep(keeping: engine.attachments.blobs.files) }
        // A home of an earlier version has no digests yet; its present state is accepted.
        if !hasDigests { try recordStore.takeOver(isMissing: engine.isWatched) }
        if !engine.isWatched {
            engine.setWatched(true)
            engine.putNodeRecord()
        }
        try engine.takeStep().apply(to: recordStore, blobs)
        return engine
    }

    /// Returns the way from the id of the home's store to the keys of its records; makes the home's key if the home is new
    /// and there is a name for it.
    ///
    /// The function returns nil for the store of another home than the suspended one. The master key goes with it.
    private static func seals(
        of home: NodeHome,
        _ configuration: ChatConfiguration,
        _ nickname: Nickname?,
        _ key: Key
    ) throws(ChatError) -> ([UInt8]) -> RecordSeals? {
        let protection: Home.Key
        switch key {
        case .suspended(let suspended):
            guard home.key.exists else { throw noIdentity(in: home.directory) }
            return { $0 == suspended.databaseID ? suspended.seals : nil }
        case .protected(let key): protection = key
        }
        if home.key.exists {
            let key = try home.openKey(protection)
            return { RecordSeals(masterKey: key, databaseID: $0) }
        }
        guard nickname != nil else { throw noIdentity(in: home.directory) }
        guard !home.hasHistory else {
            throw ChatError(
                .homeCorrupt,
                "\(home.directory.path) holds a history without its key file. Restore vault.bin or key.bin."
            )
        }
        let made = try home.makeKey(protection, cost: configuration.passphraseCost)
        return { RecordSeals(masterKey: made, databaseID: $0) }
    }

    static func noIdentity(in directory: URL) -> ChatError {
        ChatError(.noIdentity, "\(directory.path) holds no identity yet. Run 'earshot init --name NAME'.")
    }

    private static func makeEngine(
        _ nickname: Nickname,
        _ seals: RecordSeals,
        _ recordStore: RecordStore,
        _ blobs: BlobFolder,
        for room: RoomState? = nil,
        of backup: Identity? = nil,
        at time: ChatTime
    ) throws(ChatError) -> ChatEngine {
        let step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        do {
            if !recordStore.isWatching { try recordStore.takeOver(isMissing: false) }
            var engine = try ChatEngine(making: nickname, seals.secrets, for: room, of: backup, in: step)
            try engine.takeStep().apply(to: recordStore, blobs)
            return engine
        } catch {
            throw ChatError(error)
        }
    }

    static func nickname(_ typed: String) throws(ChatError) -> Nickname {
        do {
            return try Nickname(typed)
        } catch {
            throw ChatError(.badName, error.reason)
        }
    }

    // MARK: - Rooms

    /// Makes an identity for a room: in its folder, or in memory.
    init(
        making nickname: Nickname,
        for room: RoomState,
        with key: MasterKey,
        in folder: RoomFolder?,
        at time: ChatTime
    ) throws(ChatError) {
        let store: any MessageStore
        do {
            store = try folder.map { folder throws(StoreError) in try folder.openStore() } ?? MemoryStore()
        } catch {
            throw ChatError(error)
        }
        let seals = RecordSeals(masterKey: key, databaseID: store.databaseID)
        let recordStore = RecordStore(store: store, keys: seals)
        let blobs = folder.map { BlobFolder($0.blobs) } ?? BlobFolder()
        let engine = try Self.makeEngine(nickname, seals, recordStore, blobs, for: room, at: time)
        self.init(home: nil, store: store, recordStore: recordStore, blobs: blobs, engine: engine)
    }

    /// Restores a room from its folder.
    init(
        restoring room: RoomState,
        with key: MasterKey,
        from folder: RoomFolder,
        at time: ChatTime
    ) throws(ChatError) {
        do {
            let store = try folder.openStore()
            let seals = RecordSeals(masterKey: key, databaseID: store.databaseID)
            let recordStore = RecordStore(store: store, keys: seals)
            let blobs = BlobFolder(folder.blobs)
            guard let engine = try Self.restore(seals, recordStore, blobs, nil, of: room, at: time) else {
                throw ChatError(.homeCorrupt, "A room's folder holds no identity.")
            }
            self.init(home: nil, store: store, recordStore: recordStore, blobs: blobs, engine: engine)
        } catch {
            throw ChatError(error)
        }
    }

    private init(
        home: NodeHome?,
        store: any MessageStore,
        recordStore: RecordStore,
        blobs: BlobFolder,
        engine: ChatEngine
    ) {
        self.home = home
        self.store = store
        self.recordStore = recordStore
        self.blobs = blobs
        self.engine = engine
        seals = nil
        isCreated = true
    }
}

extension ChatConfiguration {
    /// The time at which a node is made.
    var time: ChatTime { ChatTime(wall: environment.wall, monotonic: .zero) }
}
