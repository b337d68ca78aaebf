import Foundation
import MeshCore
import NIOCore

extension MeshNode {
    /// Makes the log that the configuration asks for.
    static func makeKeeping(_ configuration: Configuration) -> StoreKeeping? {
        guard let file = configuration.storeFile else { return nil }
        let limits = configuration.mesh.store
        // Twice the largest contents of the log, and what is written before an excess is noticed.
        let sizeLimit =
            2 * (limits.byteCount + 64 * (limits.envelopeCount + limits.tombstoneCount)) + StoreKeeping.slack
            + StoreKeeping.pendingLimit
        return StoreKeeping(log: StoreLog(path: file.path, sizeLimit: sizeLimit))
    }

    /// Reads the contents of the log, if there is one.
    func loadStore() async throws(MeshTransportError) -> [StoreRecord] {
        guard let log = keeping?.log else { return [] }
        let contents = try await log.load(at: time)
        if await !log.isSound { keeping?.requestRewrite() }
        storeLog.byteCount = await log.byteCount
        if contents.damageCount > 0 {
            logger.info("the log of the store was damaged", metadata: ["stretches": "\(contents.damageCount)"])
        }
        return contents.records
    }

    /// Schedules changes of the store to be written, with those of the next second.
    func keep(_ changes: [StoreRecord]) {
        keeping?.add(changes)
        scheduleWriting(in: StoreKeeping.interval)
    }

    /// Writes the remaining changes and closes the log.
    func closeStore() async {
        keeping?.timer?.cancel()
        await keeping?.writing?.value
        guard let log = keeping?.log else { return }
        if keeping?.hasWork == true { try? await write() }
        keeping = nil
        try? await log.end(at: time)
    }

    private var time: StoreLog.Time {
        StoreLog.Time(now: clock.now, wall: UInt64(max(0, Date().timeIntervalSince1970)))
    }

    private func scheduleWriting(in delay: TimeAmount) {
        guard let keeping, keeping.hasWork, keeping.timer == nil, keeping.writing == nil else { return }
        self.keeping?.timer = eventLoop.scheduleTask(in: delay) {
            self.assumeIsolated { $0.beginWriting() }
        }
    }

    private func beginWriting() {
        keeping?.timer = nil
        keeping?.writing = Task {
            var delay = StoreKeeping.interval
            do {
                try await write()
            } catch {
                keeping?.requestRewrite()
                storeLog.failures += 1
                delay = StoreKeeping.retryInterval
                logger.info("the log of the store cannot be written", metadata: ["error": "\(error)"])
            }
            keeping?.writing = nil
            scheduleWriting(in: delay)
        }
    }

    /// Writes what waits, or everything; requests a rewrite if most of the log is obsolete.
    private func write() async throws {
        guard let log = keeping?.log else { return }
        let byteCount: Int
        if keeping?.needsRewrite == true {
            keeping?.needsRewrite = false
            byteCount = try await log.rewrite(engine.storeRecords(at: clock.now), at: time)
            storeLog.rewrites += 1
        } else if let records = keeping?.takePending() {
            byteCount = try await log.append(records, at: time)
        } else {
            return
        }
        storeLog.byteCount = byteCount
        if byteCount > 2 * engine.storeRecordByteCount + StoreKeeping.slack { keeping?.requestRewrite() }
    }
}
