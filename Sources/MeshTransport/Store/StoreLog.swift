package import MeshCore
package import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The log of a node's store on the disk, from which the node restores the store after a restart.
///
/// The log owns the file; one node at a time uses it. When a call returns, the bytes are on the disk. A write that
/// fails leaves the log as it was, and a crash at any moment costs the entry that was being written.
package actor StoreLog {
    /// The readings of both clocks at one moment.
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

    /// The result of loading a log.
    package struct Contents: Sendable, Equatable {
        /// The records that result from the log.
        package let records: [StoreRecord]
        /// The number of damaged stretches.
        package let damageCount: Int
    }

    private let path: String
    private let sizeLimit: Int
    private var file: LogFile?
    /// The log's age in seconds, and the moment at which it had this age.
    private var age: (seconds: UInt32, at: MeshInstant) = (0, .zero)
    private var timeEntryAge: UInt32 = 0

    /// Units: bytes read, and written before a sync, at once.
    private static let chunkByteCount = 1 << 20
    /// Units: seconds between two notes of the time.
    private static let timeEntryInterval: UInt32 = 10

    /// Names a log; nothing happens before `load`.
    ///
    /// - Parameter sizeLimit: Units: bytes of a log that are read at most.
    package init(path: String, sizeLimit: Int) {
        self.path = path
        self.sizeLimit = sizeLimit
    }

    /// Whether records can be added to the log; if not, it has to be rewritten.
    package private(set) var isSound = true

    /// Units: bytes of the file.
    package var byteCount: Int { file?.byteCount ?? 0 }

    /// Opens the log, creates it if there is none, and reads it; an end that a crash left torn is cut off.
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

    /// Adds records at the end; returns the bytes of the file.
    package func append(_ records: [StoreRecord], at time: Time) throws(IOError) -> Int {
        guard let file else { throw Self.closed }
        var bytes: [UInt8] = []
        let age = age(at: time)
        for record in records { bytes += StoreLogFormat.entry(record, age: age) }
        if age >= timeEntryAge + Self.timeEntryInterval { try appendTimeEntry(at: time, to: file) }
        try file.append(bytes)
        try file.synchronize()
        return file.byteCount
    }

    /// Replaces this log by one of these records, all at once; returns the bytes of the file.
    package func rewrite(_ records: [StoreRecord], at time: Time) throws(IOError) -> Int {
        guard file != nil else { throw Self.closed }
        do {
            LogFile.remove(newPath)
            let new = try LogFile(newPath)
            try new.append(StoreLogFormat.beginning)
            try appendTimeEntry(at: time, to: new)
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
        try appendTimeEntry(at: time, to: file)
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

    /// Throws for a file that is no log, or of an unknown version, before anything is written to it.
    private func check(_ reader: StoreLogReader, _ file: LogFile) throws(IOError) {
        if let version = reader.version, version != StoreLogFormat.version {
            throw IOError(
                errnoCode: EINVAL,
                reason: "a log of version \(version); update Earshot, or move the log away"
            )
        }
        let beginning = StoreLogFormat.beginning
        guard reader.entryCount == 0, file.byteCount > 0 else { return }
        let start = try file.read(from: 0, count: beginning.count)
        guard file.byteCount < beginning.count, beginning.starts(with: start) else {
            throw IOError(errnoCode: EINVAL, reason: "not a log of a mesh store; move it away")
        }
    }

    /// Prepares a log for what will be added; a full disk does not keep the node from starting.
    private func begin(_ file: LogFile, after reader: StoreLogReader, at time: Time) {
        do {
            if reader.entryCount == 0 {
                try file.truncate(to: 0)
                try file.append(StoreLogFormat.beginning)
                try LogFile.synchronizeDirectory(of: path)
            } else if reader.soundByteCount < file.byteCount {
                try file.truncate(to: reader.soundByteCount)
            }
            try appendTimeEntry(at: time, to: file)
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

    private func appendTimeEntry(at time: Time, to file: LogFile) throws(IOError) {
        let age = age(at: time)
        try file.append(StoreLogFormat.time(age: age, wall: time.wall))
        timeEntryAge = age
    }
}
