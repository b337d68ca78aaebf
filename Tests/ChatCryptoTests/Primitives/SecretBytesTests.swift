import Foundation
import Synchronization
import Testing

@testable import ChatCrypto

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test(
        "A secret is lent as it was copied in, whatever its length",
        arguments: [0, 1, 31, 32, 33, 64, 96, 128, 129, 1_024, 1_025, 5_000, 16_384, 16_385, 70_000]
    )
    func lendsWhatItTook(count: Int) {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let secret = SecretBytes(copying: content)
        #expect(secret.exposed == content)
        #expect(secret.count == count)
        #expect(secret.withBytes { $0.baseAddress != nil })
    }

    @Test("Room for a secret is zero before it is filled")
    func startsAtZero() {
        for count in [32, 128, 200, 5_000] {
            _ = SecretBytes(copying: [UInt8](repeating: 0xAA, count: count))
            let secret = SecretBytes(count: count) { _ in }
            #expect(secret.exposed == [UInt8](repeating: 0, count: count))
        }
    }

    @Test("The last reference to a secret erases it", arguments: [128, 700])
    func erasesAtTheEnd(count: Int) throws {
        // Slots stay mapped, so the test can read the address after the secret is gone. If another test has taken the
        // slot in between, its content differs too. While others hold all slots, the address is not mapped any more.
        let content = [UInt8](repeating: 0x5C, count: count)
        var secret: SecretBytes? = SecretBytes(copying: content)
        let address = secret?.withBytes { UInt(bitPattern: $0.baseAddress) } ?? 0
        #expect(try memory(at: address, count: count) == content)
        secret = nil
        #expect(try memory(at: address, count: count) != content)
    }

    @Test(
        "More secrets than a slab holds, and than all slabs do, are kept all the same, and apart",
        arguments: [
            (2_500, 32), (100, 1_500), (SecretArena.slabLimit * SecretArena.slabByteCount / 32 + 500, 32),
            (SecretArena.slabLimit * SecretArena.slabByteCount / 1_024 + 50, 700),
        ]
    )
    func outgrowsTheSlabs(secretCount: Int, byteCount: Int) {
        let secrets = (0..<secretCount).map { number in
            SecretBytes(copying: [UInt8](repeating: UInt8(number % 251), count: byteCount))
        }
        for (index, secret) in secrets.enumerated() {
            let expected = UInt8(index % 251)
            let areAll = secret.withBytes { bytes in bytes.allSatisfy { $0 == expected } }
            if !areAll { Issue.record("secret \(index) is another's") }
        }
    }

    @Test("Tasks that take and drop secrets at once do not meet")
    func staysApartAcrossTasks() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var kept: [SecretBytes] = []
                    for round in 0..<500 {
                        let value = UInt8(truncatingIfNeeded: task * 31 + round)
                        kept.append(SecretBytes(copying: [UInt8](repeating: value, count: 1 + round % 140)))
                        if kept.count > 20 { kept.removeFirst(10) }
                        let last = kept.last?.exposed ?? []
                        if last.contains(where: { $0 != value }) { return false }
                    }
                    return true
                }
            }
            for await isApart in group { #expect(isApart) }
        }
    }

    @Test("A slice and an equal secret are compared by content")
    func comparesContent() {
        let secret = SecretBytes(copying: Array(0..<40))
        #expect(secret.slice(8..<40).isEqual(to: SecretBytes(copying: Array(8..<40))))
        #expect(!secret.slice(0..<8).isEqual(to: secret.slice(1..<9)))
        #expect(!secret.isEqual(to: secret.slice(0..<39)))
        #expect(secret.slice(3..<3).isEqual(to: SecretBytes(copying: [])))
    }

    @Test("Neither printing nor dumping shows the content")
    func printsNoContent() {
        let secret = SecretBytes(copying: Array("hunter2 hunter2!".utf8))
        #expect("\(secret)" == "SecretBytes(16)")
        #expect(String(reflecting: secret) == "SecretBytes(16)")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(dumped == "- SecretBytes(16) #0\n")
    }

    @Test("Random secrets and bytes differ each time")
    func drawsFreshBytes() {
        #expect(!SecretBytes.random(count: 32).isEqual(to: .random(count: 32)))
        #expect(randomBytes(16) != randomBytes(16))
        #expect(randomBytes(0).isEmpty)
    }

    @Test("A test's tape stands in for random bytes within its task only")
    func playsTheTape() {
        let tape = RandomTape([1, 2, 3, 4, 5])
        Randomness.$tape.withValue(tape) {
            #expect(randomBytes(2) == [1, 2])
            #expect(SecretBytes.random(count: 3).exposed == [3, 4, 5])
        }
        #expect(tape.isExhausted)
        #expect(randomBytes(16) != randomBytes(16))
    }

    /// Reads memory at an address; nil if it is not mapped.
    ///
    /// The system detects unmapped memory without harm when the test writes it to a pipe.
    private func memory(at address: UInt, count: Int) throws -> [UInt8]? {
        let pipe = Pipe()
        let written = write(pipe.fileHandleForWriting.fileDescriptor, UnsafeRawPointer(bitPattern: address), count)
        return try written == count ? pipe.fileHandleForReading.read(upToCount: count).map(Array.init) : nil
    }
}
