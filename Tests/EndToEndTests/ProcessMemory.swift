#if os(Linux)
    import Foundation

    /// The memory of another process that it can write, searched for bytes; root may read it although the process is
    /// hardened.
    struct ProcessMemory: Sendable {
        let process: Int32

        /// The words that are found, and in what kind of memory.
        func places(of words: [String]) throws -> [String: Set<String>] {
            try places(of: Dictionary(words.map { ($0, Array($0.utf8)) }) { first, _ in first })
        }

        /// The bytes that are found, by what they are called, and in what kind of memory.
        func places(of needles: [String: [UInt8]]) throws -> [String: Set<String>] {
            let memory = open("/proc/\(process)/mem", O_RDONLY)
            guard memory >= 0 else {
                throw NodeProcess.Failure(description: "the memory of \(process) is not readable")
            }
            defer { close(memory) }
            let overlap = needles.values.map(\.count).max() ?? 0
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var found: [String: Set<String>] = [:]
            for (region, name) in regions() {
                for start in stride(from: region.lowerBound, to: region.upperBound, by: buffer.count - overlap) {
                    let wanted = min(buffer.count, Int(region.upperBound - start))
                    let count = buffer.withUnsafeMutableBytes { pread(memory, $0.baseAddress, wanted, off_t(start)) }
                    guard count > 0 else { continue }
                    buffer.withUnsafeBytes { bytes in
                        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                        for (word, needle) in needles where Self.contains(needle, in: part) {
                            found[word, default: []].insert(name)
                        }
                    }
                }
            }
            return found
        }

        /// Whether bytes occur in others.
        static func contains(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
            guard let base = bytes.baseAddress, let first = needle.first else { return false }
            var offset = 0
            while bytes.count - offset >= needle.count,
                let hit = memchr(base + offset, Int32(first), bytes.count - offset - needle.count + 1)
            {
                if memcmp(hit, needle, needle.count) == 0 { return true }
                offset = UnsafeRawPointer(hit) - base + 1
            }
            return false
        }

        private func regions() -> [(Range<UInt>, String)] {
            // Such a file has no size, and gives no more than a page at once.
            let file = open("/proc/\(process)/maps", O_RDONLY)
            defer { close(file) }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(file, &part, part.count), count > 0 { bytes += part.prefix(count) }
            let maps = String(decoding: bytes, as: UTF8.self)
            return maps.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[0] < bounds[1] else { return nil }
                let size = (bounds[1] - bounds[0]) / 1_024
                return (bounds[0]..<bounds[1], "\(words.count > 5 ? String(words[5]) : "anonymous") of \(size) KiB")
            }
        }
    }
#endif
