import Testing

@Suite("Durability")
struct DurabilityTests {
    // On Apple's systems these calls return before the disk has the bytes.
    @Test("Only one function waits for the disk", arguments: ["fsync(", "fdatasync(", "F_FULLFSYNC"])
    func oneFunction(call: String) {
        let hits = Repository.swiftFiles(below: "Sources").filter { $0.text.contains(call) }.map(\.path)
        #expect(hits.filter { $0 != "Sources/Durability/FullSync.swift" } == [])
    }
}
