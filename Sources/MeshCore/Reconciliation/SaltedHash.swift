/// The keyed hash of ids in one comparison.
///
/// Only the side that chooses the salt can make ids that collide.
struct SaltedHash: Sendable {
    /// The random salt that the asking side chose for this comparison.
    let salt: UInt64
    let cryptography: any MeshCryptography

    func callAsFunction(_ id: UInt64) -> UInt64 {
        cryptography.shortHash(of: id, salt: salt)
    }
}
