#if os(Linux)
    import ChatCrypto
    import Foundation

    /// The writable memory of another process, searched for bytes; root may read it although the process is hardened.
    struct ProcessMemory: Sendable {
        let process: Int32

        /// Finds the words that occur, and the kind of memory that holds each.
        func places(of words: [String]) throws -> [String: Set<String>] {
            try places(of: words.map { (word: $0, bytes: Array($0.utf8)) })
        }

        /// Finds the bytes that occur, by their words, and the kind of memory that holds each.
        func places(of needles: [(word: String, bytes: [UInt8])]) throws -> [String: Set<String>] {
            let memory = try opened()
            defer { close(memory) }
            let overlap = needles.map(\.bytes.count).max() ?? 0
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var found: [String: Set<String>] = [:]
            for (region, name) in try regions() {
                for start in stride(from: region.lowerBound, to: region.upperBound, by: buffer.count - overlap) {
                    let wanted = min(buffer.count, Int(region.upperBound - start))
                    let count = buffer.withUnsafeMutableBytes { pread(memory, $0.baseAddress, wanted, off_t(start)) }
                    guard count > 0 else { continue }
                    buffer.withUnsafeBytes { bytes in
                        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                        for (word, needle) in needles {
                            guard let offset = Self.offset(of: needle, in: part) else { continue }
                            found[word, default: []].insert(name + place(of: start + UInt(offset), in: region))
                        }
                    }
                }
            }
            return found
        }

        /// Whether bytes contain others.
        static func contains(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
            offset(of: needle, in: bytes) != nil
        }

        private static func offset(of needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
            guard let base = bytes.baseAddress, !needle.isEmpty else { return nil }
            return find(base, bytes.count, needle, needle.count).map { UnsafeRawPointer($0) - base }
        }

        /// Describes an address of a thread's stack by the system call that the thread waits in and the distance to
        /// its stack pointer; empty for other addresses.
        private func place(of address: UInt, in region: Range<UInt>) -> String {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            for thread in threads {
                let words = ((try? text(of: "task/\(thread)/syscall")) ?? "").split(whereSeparator: \.isWhitespace)
                guard let pointer = words.dropLast().last.flatMap({ UInt($0.dropFirst(2), radix: 16) }) else {
                    continue
                }
                guard region.contains(pointer) else { continue }
                return ", \(Int(address) - Int(pointer)) from the pointer of a thread in system call \(words[0])"
            }
            return ""
        }

        /// Returns all secret keys in locked memory: everything there that is not zero, in parts of 32 bytes.
        ///
        /// A program that keeps its keys only there has each of them in it once. Public keys lie there too, beside
        /// their secret keys, and are not secret.
        func lockedKeys() throws -> Set<[UInt8]> {
            let memory = try opened()
            defer { close(memory) }
            var keys: Set<[UInt8]> = []
            for region in try lockedRegions() {
                var bytes = [UInt8](repeating: 0, count: region.count)
                let count = bytes.withUnsafeMutableBytes {
                    pread(memory, $0.baseAddress, $0.count, off_t(region.lowerBound))
                }
                guard count == bytes.count else { continue }
                // The library that locks the memory allocates it at the end of its pages.
                for start in stride(from: 0, to: bytes.count, by: 32) {
                    let key = Array(bytes[start..<(start + 32)])
                    // Random bytes rarely repeat; short or padded content is no key.
                    if Set(key).count > 16 { keys.insert(key) }
                }
            }
            return keys.subtracting(keys.flatMap(Self.publicKeys))
        }

        /// Returns the public keys that belong to a key, if it is a private one.
        private static func publicKeys(of key: [UInt8]) -> [[UInt8]] {
            let seed = SecretBytes(copying: key)
            return [X25519.PrivateKey(seed: seed).publicKey, Ed25519.SigningKey(seed: seed).publicKey]
        }

        private func opened() throws -> Int32 {
            let memory = open("/proc/\(process)/mem", O_RDONLY)
            guard memory >= 0 else {
                throw NodeProcess.Failure(description: "the memory of \(process) is not readable")
            }
            return memory
        }

        /// Reads a whole file about the process; such files have no size, and some ways to read them end after a
        /// page.
        private func text(of name: String) throws -> String {
            let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/\(name)"))
            defer { try? file.close() }
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }

        /// Returns the memory regions that the process has locked.
        private func lockedRegions() throws -> [Range<UInt>] {
            var regions: [Range<UInt>] = []
            var last: Range<UInt>?
            for line in try text(of: "smaps").split(separator: "\n") {
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                if words[0] == "VmFlags:", words.contains("lo"), words.contains("wr"), let last { regions.append(last) }
                let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if bounds.count == 2, bounds[0] < bounds[1] { last = bounds[0]..<bounds[1] }
            }
            return regions
        }

        private func regions() throws -> [(Range<UInt>, String)] {
            try text(of: "maps").split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[0] < bounds[1] else { return nil }
                let size = (bounds[1] - bounds[0]) / 1_024
                return (bounds[0]..<bounds[1], "\(words.count > 5 ? String(words[5]) : "anonymous") of \(size) KiB")
            }
        }
    }

    /// The function `memmem` of glibc, which Swift's module of it omits.
    @_silgen_name("memmem")
    private func find(
        _ bytes: UnsafeRawPointer,
        _ byteCount: Int,
        _ needle: UnsafeRawPointer,
        _ needleByteCount: Int
    ) -> UnsafeRawPointer?
#endif
