import Foundation
import MeshCore
import NIOCore

extension MeshNode {
    /// Makes the log that the configuration asks for.
    static func makePersistence(_ configuration: Configuration) -> StorePersistence? {
        guard let file = configuration.storeFile else { return nil }
        let limits = configuration.mesh.store
        // Twice the largest contents of the log, own and others', and what is written before an excess is noticed.
        let sizeLimit =
            4 * (limits.byteCount + 64 * limits.envelopeCount) + StorePersistence.slack + StorePersistence.pendingLimit
        return StorePersistence(log: StoreLog(path: file.path, sizeLimit: sizeLimit))
    }

    /// Reads the contents of the log, if there is one.
    func loadStore() async throws(MeshTransportError) -> [StoreRecord] {
        guard let log = persistence?.log else { return [] }
        let contents = try await log.load(at: time)
        if await !log.isSound { persistence?.requestRewrite() }
        storeLog.byteCount = await log.byteCount
        if contents.damageCount > 0 {
            logger.info("the log of the store was damaged", metadata: ["stretches": "\(contents.damageCount)"])
        }
        return contents.records
    }

    /// Schedules changes of the store to be written, with those of the next second.
    func keep(_ changes: [StoreRecord]) {
        persistence?.add(changes)
        scheduleWriting(in: StorePersistence.interval)
    }

    /// Writes the remaining changes and closes the log.
    func closeStore() async {
        persistence?.timer?.cancel()
        await persistence?.writing?.value
        guard let log = persistence?.log else { return }
        if persistence?.hasWork == true { try? await write() }
        persistence = nil
        try? await log.end(at: time)
    }

    private var time: StoreLog.Time {
        StoreLog.Time(now: clock.now, wall: UInt64(max(0, Date().timeIntervalSince1970)))
    }

    private func scheduleWriting(in delay: TimeAmount) {
        guard let persistence, persistence.hasWork, persistence.timer == nil, persistence.writing == nil else { return }
        self.persistence?.timer = eventLoop.scheduleTask(in: delay) {
            self.assumeIsolated { $0.beginWriting() }
        }
    }

    private func beginWriting() {
        persistence?.timer = nil
        persistence?.writing = Task {
            var delay = StorePersistence.interval
            do {
                try await write()
            } catch {
                persistence?.requestRewrite()
                storeLog.failures += 1
                delay = StorePersistence.retryInterval
                logger.info("the log of the store cannot be written", metadata: ["error": "\(error)"])
            }
            persistence?.writing = nil
            scheduleWriting(in: delay)
        }
    }

    /// Writes what waits, or everything; requests a rewrite if most of the log is obsolete.
    private func write() async throws {
        guard let log = persistence?.log else { return }
        let byteCount: Int
        if persistence?.needsRewrite == true {
            persistence?.needsRewrite = false
            byteCount = try await log.rewrite(engine.storeRecords(at: clock.now), at: time)
            storeLog.rewrites += 1
        } else if let records = persistence?.takePending() {
            byteCount = try await log.append(records, at: time)
        } else {
            return
        }
        storeLog.byteCount = byteCount
        if byteCount > 2 * engine.storeRecordByteCount + StorePersistence.slack { persistence?.requestRewrite() }
    }
}
