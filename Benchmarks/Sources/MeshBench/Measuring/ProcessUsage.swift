import Foundation

/// The resources that a process has used since its start.
struct ProcessUsage: Codable, Sendable {
    /// The user and system time of all threads.
    var cpuSeconds: Double
    /// Units: bytes; the most memory that was resident at once.
    var peakResidentBytes: Int

    /// The usage of this process.
    static var current: ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        let cpu = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        #if os(Linux)
            let unit = 1_024
        #else
            let unit = 1
        #endif
        return ProcessUsage(cpuSeconds: cpu.reduce(0, +), peakResidentBytes: Int(usage.ru_maxrss) * unit)
    }
}
