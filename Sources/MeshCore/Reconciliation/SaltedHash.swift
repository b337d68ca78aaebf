/// The keyed hash of ids in one comparison; nobody who does not choose the salt can make ids that collide in it.
struct SaltedHash: Sendable {
    /// What the side that asks drew for this comparison.
    let salt: UInt64
    let cryptography: any MeshCryptography

    func callAsFunction(_ id: UInt64) -> UInt64 {
        cryptography.shortHash(of: id, salt: salt)
    }
}
