import Foundation

/// The seeds of random schedules: as many as `EARSHOT_SEEDS` says, else the usual number.
enum ScheduleSeeds {
    static func upTo(_ usual: UInt64) -> ClosedRange<UInt64> {
        1...max(1, ProcessInfo.processInfo.environment["EARSHOT_SEEDS"].flatMap(UInt64.init) ?? usual)
    }
}
