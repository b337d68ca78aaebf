package import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The log of a node's store on disk, from which it takes the store up again after a restart.
///
/// It owns the file; one node at a time has it. What is written is on disk when the call comes back. A write that fails
/// leaves the log as it was, and a crash at any moment costs the entry that was being written.
package actor StoreLog {
    /// What both clocks show at one moment.
    package struct Time: Sendable {
        /// The node's own clock.
        package let now: MeshInstant
        /// Units: seconds since 1970 by the wall clock.
        package let wall: UInt64

        /// Makes a moment.
        package init(now: MeshInstant, wall: UInt64) {
            self.now = now
            self.wall = wall
        }
    }

    /// What loading a log has found.
    package struct Contents: Sendable, Equatable {
        /// What the log comes to.
        package let records: [StoreRecord]
        /// How many stretches were damaged.
        package let damageCount: Int
    }

    private let path: String
    private let sizeLimit: Int
    private var file: LogFile?
    /// The log's age, in seconds, and when it had it.
    private var age: (seconds: UInt32, at: MeshInstant) = (0, .zero)
    private var notedAge: UInt32 = 0

    /// Units: bytes read, and written before a sync, at once.
    private static let chunkByteCount = 1 << 20
    /// Units: seconds between two notes of the time.
    private static let noteInterval: UInt32 = 10

    /// Names a log; nothing happens before `load`.
    ///
    /// - Parameter sizeLimit: bytes of a log that are read at most.
    package init(path: String, sizeLimit: Int) {
        self.path = path
        self.sizeLimit = sizeLimit
    }

    /// Whether the log can be added to; if not, it is to be written anew.
    package private(set) var isSound = true

    /// Units: bytes of the file.
    package var byteCount: Int { file?.byteCount ?? 0 }

    /// Opens the log, making it if there is none, and reads it; what a crash left torn at its end is cut off.
    package func load(at time: Time) throws(MeshTransportError) -> Contents {
        do throws(IOError) {
            LogFile.remove(newPath)
            let file = try LogFile(path)
            let reader = try read(file)
            try check(reader, file)
            let contents = reader.contents(wall: time.wall)
            age = (contents.age, time.now)
            self.file = file
            isSound = reader.damageCount == 0 && reader.version != nil || reader.entryCount == 0
            begin(file, after: reader, at: time)
            return Contents(records: contents.records, damageCount: reader.damageCount)
        } catch {
            throw MeshTransportError(.storeUnusable, reason: "\(path): \(error)", cause: error)
        }
    }

    /// Adds records at the end; answers the file's bytes.
    package func append(_ records: [StoreRecord], at time: Time) throws(IOError) -> Int {
        guard let file else { throw Self.closed }
        var bytes: [UInt8] = []
        let age = age(at: time)
        for record in records { bytes += StoreLogFormat.entry(record, age: age) }
        if age >= notedAge + Self.noteInterval { try appendNote(at: time, to: file) }
        try file.append(bytes)
        try file.synchronize()
        return file.byteCount
    }

    /// Puts a log of these records in place of this one, all at once; answers the file's bytes.
    package func rewrite(_ records: [StoreRecord], at time: Time) throws(IOError) -> Int {
        guard file != nil else { throw Self.closed }
        do {
            LogFile.remove(newPath)
            let new = try LogFile(newPath)
            try new.append(StoreLogFormat.beginning)
            try appendNote(at: time, to: new)
            let age = age(at: time)
            var bytes: [UInt8] = []
            for record in records {
                bytes += StoreLogFormat.entry(record, age: age)
                guard bytes.count >= Self.chunkByteCount else { continue }
                try new.append(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try new.append(bytes)
            try new.synchronize()
            try LogFile.exchange(newPath, for: path)
            file = new
            isSound = true
            return new.byteCount
        } catch {
            LogFile.remove(newPath)
            throw error
        }
    }

    /// Notes the time and closes the file.
    package func end(at time: Time) throws(IOError) {
        guard let file else { return }
        self.file = nil
        try appendNote(at: time, to: file)
        try file.synchronize()
    }

    // MARK: - Details

    private var newPath: String { path + ".new" }

    private static let closed = IOError(errnoCode: EBADF, reason: "the log is closed")

    private func read(_ file: LogFile) throws(IOError) -> StoreLogReader {
        var reader = StoreLogReader()
        var offset = 0
        while offset < sizeLimit {
            let chunk = try file.read(from: offset, count: min(Self.chunkByteCount, sizeLimit - offset))
            guard !chunk.isEmpty else { break }
            reader.append(chunk)
            offset += chunk.count
        }
        reader.finish()
        return reader
    }

    /// Refuses a file that is something else, or of a version not known here, before anything is written to it.
    private func check(_ reader: StoreLogReader, _ file: LogFile) throws(IOError) {
        if let version = reader.version, version != StoreLogFormat.version {
            throw IOError(errnoCode: EINVAL, reason: "a log of version \(version); update, or move it away")
        }
        let beginning = StoreLogFormat.beginning
        guard reader.entryCount == 0, file.byteCount > 0 else { return }
        let start = try file.read(from: 0, count: beginning.count)
        guard file.byteCount < beginning.count, beginning.starts(with: start) else {
            throw IOError(errnoCode: EINVAL, reason: "no log of a mesh store; move it away")
        }
    }

    /// Makes a log ready for what will be added; a full disk keeps no node from starting.
    private func begin(_ file: LogFile, after reader: StoreLogReader, at time: Time) {
        do {
            if reader.entryCount == 0 {
                try file.truncate(to: 0)
                try file.append(StoreLogFormat.beginning)
                try LogFile.synchronizeDirectory(of: path)
            } else if reader.soundByteCount < file.byteCount {
                try file.truncate(to: reader.soundByteCount)
            }
            try appendNote(at: time, to: file)
            try file.synchronize()
        } catch {
            isSound = false
        }
    }

    private func age(at time: Time) -> UInt32 {
        let passed = age.at.duration(to: time.now).components.seconds
        let (sum, overflow) = age.seconds.addingReportingOverflow(UInt32(clamping: passed))
        return overflow ? .max : sum
    }

    private func appendNote(at time: Time, to file: LogFile) throws(IOError) {
        let age = age(at: time)
        try file.append(StoreLogFormat.time(age: age, wall: time.wall))
        notedAge = age
    }
}
