import Foundation

/// The limit of a process to a share of a processor, by a control group of its own (Linux, root), until `remove()`.
///
/// Nodes of a mesh have a processor each. If one machine hosts more nodes than it has processors, a run measures the
/// machine, unless each node gets the same share whether there are two of them or five.
struct ProcessorShare: Sendable {
    /// Units: microseconds; the interval at which the kernel renews the share.
    private static let period = 100_000

    private let group: URL

    /// - Parameter percent: The share of one processor, all threads together.
    init(percent: Int, of process: Int32) throws {
        let root = URL(filePath: "/sys/fs/cgroup")
        // Version 1 of control groups has a hierarchy for the processor alone, version 2 one for everything.
        let isFirst = FileManager.default.fileExists(atPath: root.path + "/cpu/cgroup.procs")
        group = (isFirst ? root.appending(path: "cpu") : root).appending(path: "mesh-bench-\(process)")
        let quota = percent * Self.period / 100
        do {
            try FileManager.default.createDirectory(at: group, withIntermediateDirectories: false)
            if isFirst {
                try Self.write("\(Self.period)", to: group.appending(path: "cpu.cfs_period_us"))
                try Self.write("\(quota)", to: group.appending(path: "cpu.cfs_quota_us"))
            } else {
                try Self.write("\(quota) \(Self.period)", to: group.appending(path: "cpu.max"))
            }
            try Self.write("\(process)", to: group.appending(path: "cgroup.procs"))
        } catch {
            remove()
            throw BenchFailure("--processor needs root and control groups with a limit for the processor: \(error)")
        }
    }

    /// Removes the group of a process that has ended.
    func remove() {
        rmdir(group.path)
    }

    private static func write(_ value: String, to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(value.utf8))
        try handle.close()
    }
}
