import Testing

@testable import ChatCrypto

@Suite("Mesh key")
struct MeshKeyTests {
    @Test("Key, tag and beacon key are those another implementation makes", arguments: try VectorFile("mesh_key").cases)
    func reproducesVectors(vector: VectorCase) throws {
        let key = try MeshKey.stretching(passphrase: SecretBytes(copying: vector.bytes("passphrase")))
        #expect(try key.secret.exposed == vector.bytes("key"))
        #expect(try key.networkTag(day: UInt32(vector.number("day"))) == vector.bytes("tag"))
        #expect(try key.beaconKey().exposed == vector.bytes("beacon key"))
        #expect(try MeshKey.open.secret.exposed == vector.bytes("open mesh key"))
    }

    @Test("The tag changes with the day and the mesh")
    func tagsDiffer() {
        let key = MeshKey.random()
        #expect(key.networkTag(day: 1) != key.networkTag(day: 2))
        #expect(key.networkTag(day: 1) != MeshKey.random().networkTag(day: 1))
        #expect(key.networkTag(day: .max).count == 4)
    }
}
