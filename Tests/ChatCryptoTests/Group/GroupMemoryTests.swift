#if os(Linux)
    import Testing

    @testable import ChatCrypto

    @Suite("Memory after a group", .serialized)
    struct GroupMemoryTests {
        @Test("After leaving and removal the process's memory holds none of the group's keys")
        func leavingErasesMemory() throws {
            var circle = try GroupCircle(2)
            _ = circle.hear(try circle.say("one", by: 0), by: 1)
            _ = circle.hear(try circle.say("two", by: 1), by: 0)
            circle.stores = []
            let keys = try Self.maskedKeys(of: circle)
            #expect(keys.allSatisfy { ProcessMemory.count(ofMasked: $0) > 0 }, "the search finds keys that are in use")
            let update = try circle.sessions[0].perform([.remove(circle.id(1))], at: GroupCircle.now).update
            #expect(circle.sessions[1].apply(update.operation, at: GroupCircle.now).outcome == .applied)
            _ = circle.sessions[0].leave()
            #expect(keys.map { ProcessMemory.count(ofMasked: $0) } == keys.map { _ in 0 })
        }

        /// Returns the keys of both members, masked so that a search for the keys does not find these copies.
        private static func maskedKeys(of circle: GroupCircle) throws -> [[UInt8]] {
            let keys = try circle.sessions.flatMap { session in
                let epoch = try #require(session.epochs.last)
                return [epoch.headerKey, epoch.noticeKey] + (session.path?.secrets ?? [])
            }
            let owner = try #require(circle.sessions[0].ownerKey).signing.seed
            return (keys + [owner]).map { key in key.withBytes { bytes in bytes.map { $0 ^ ProcessMemory.mask } } }
        }
    }
#endif
