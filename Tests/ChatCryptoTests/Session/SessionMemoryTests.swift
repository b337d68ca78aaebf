#if os(Linux)
    import Glibc
    import Testing

    @testable import ChatCrypto

    @Suite("Memory after a teardown", .serialized)
    struct SessionMemoryTests {
        @Test("After teardown on both sides the process's memory holds none of the session's keys")
        func teardownErasesMemory() throws {
            var pair = try Pair()
            let keys = try Self.maskedKeys(of: pair)
            #expect(keys.allSatisfy { ProcessMemory.count(ofMasked: $0) > 0 }, "the search finds keys that are in use")
            let (aliceID, bobID) = (pair.aliceID, pair.bob.card.id)
            pair.bob.update { $0.teardown(aliceID) }
            pair.alice.update { $0.teardown(bobID) }
            #expect(keys.map { ProcessMemory.count(ofMasked: $0) } == keys.map { _ in 0 })
        }

        /// Returns the keys of Bob's side, masked so that a search for the keys does not find these copies.
        private static func maskedKeys(of pair: Pair) throws -> [[UInt8]] {
            let ratchet = try #require(pair.bob.table.peers[pair.alice.card.id]?.sessions.first).ratchet
            let keys = [
                ratchet.rootKey, ratchet.ownKey.seed, ratchet.nextSendingHeaderKey, ratchet.nextReceivingHeaderKey,
                ratchet.skipped.wrappingKey, try #require(ratchet.sending).chainKey,
                try #require(ratchet.receiving).chainKey,
            ]
            return keys.map { key in key.withBytes { bytes in bytes.map { $0 ^ ProcessMemory.mask } } }
        }
    }

    /// All writable memory of this process; a search leaves no copy of the key behind.
    enum ProcessMemory {
        static let mask: UInt8 = 0xA5

        /// Returns the number of occurrences of the bytes, except in the buffers of the search itself.
        static func count(ofMasked masked: [UInt8]) -> Int {
            let needle = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: masked.count)
            let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
            for (index, byte) in masked.enumerated() { needle[index] = byte ^ mask }
            let memory = open("/proc/self/mem", O_RDONLY)
            defer {
                close(memory)
                needle.update(repeating: 0)
                chunk.update(repeating: 0)
                needle.deallocate()
                chunk.deallocate()
            }
            let own = [addresses(of: needle), addresses(of: chunk)]
            var places: Set<UInt> = []
            for region in writableRegions() {
                // Chunks overlap, so that the search finds a key across a border.
                for start in stride(from: region.lowerBound, to: region.upperBound, by: chunk.count - needle.count) {
                    let wanted = min(chunk.count, Int(region.upperBound - start))
                    let got = pread(memory, chunk.baseAddress, wanted, off_t(bitPattern: start))
                    for offset in offsets(of: needle, in: chunk, upTo: got) { places.insert(start + UInt(offset)) }
                }
            }
            return places.filter { place in !own.contains { $0.contains(place) } }.count
        }

        private static func addresses(of buffer: UnsafeMutableBufferPointer<UInt8>) -> Range<UInt> {
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<(start + UInt(buffer.count))
        }

        private static func offsets(
            of needle: UnsafeMutableBufferPointer<UInt8>,
            in chunk: UnsafeMutableBufferPointer<UInt8>,
            upTo count: Int
        ) -> [Int] {
            guard let base = chunk.baseAddress, let wanted = needle.baseAddress else { return [] }
            var found: [Int] = []
            var offset = 0
            while count - offset >= needle.count {
                let room = count - offset - needle.count + 1
                guard let hit = memchr(base + offset, Int32(wanted[0]), room) else { break }
                let place = hit.assumingMemoryBound(to: UInt8.self) - base
                if memcmp(base + place, wanted, needle.count) == 0 { found.append(place) }
                offset = place + 1
            }
            return found
        }

        private static func writableRegions() -> [Range<UInt>] {
            guard let maps = fopen("/proc/self/maps", "r") else { return [] }
            defer { fclose(maps) }
            var regions: [Range<UInt>] = []
            var line = [CChar](repeating: 0, count: 4_096)
            while fgets(&line, Int32(line.count), maps) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                let words = text.split(separator: " ")
                guard words.count > 1, words[1].hasPrefix("rw") else { continue }
                let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if bounds.count == 2, bounds[0] < bounds[1] { regions.append(bounds[0]..<bounds[1]) }
            }
            return regions
        }
    }
#endif
