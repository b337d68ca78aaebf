import Bytes

/// A proof that a source receives what is sent to it, without any stored state about the source.
///
/// Shape: a cookie is the code of endpoint and node id under a secret of this node. Source: PROTOCOL §3.2.
struct Cookies {
    private static let secretByteCount = 32

    private let lifetime: Duration
    private var secret: [UInt8]
    private var previousSecret: [UInt8]?
    private var secretSince: MeshInstant

    init(lifetime: Duration, random: inout MeshRandom, now: MeshInstant) {
        self.lifetime = lifetime
        secret = random.bytes(count: Self.secretByteCount)
        secretSince = now
    }

    /// Returns the cookie that the node at this endpoint must present.
    mutating func cookie(
        for node: NodeID,
        at endpoint: Endpoint,
        cryptography: any MeshCryptography,
        random: inout MeshRandom,
        now: MeshInstant
    ) -> [UInt8] {
        rotateIfDue(random: &random, now: now)
        return cryptography.authenticationCode(of: Self.subject(node, endpoint), key: secret)
    }

    /// Returns whether `cookie` was made for this node and endpoint recently.
    mutating func accepts(
        _ cookie: [UInt8],
        for node: NodeID,
        at endpoint: Endpoint,
        cryptography: any MeshCryptography,
        random: inout MeshRandom,
        now: MeshInstant
    ) -> Bool {
        guard !cookie.isEmpty else { return false }
        rotateIfDue(random: &random, now: now)
        let subject = Self.subject(node, endpoint)
        return [secret, previousSecret].contains { secret in
            guard let secret else { return false }
            return Self.areEqual(cryptography.authenticationCode(of: subject, key: secret), cookie)
        }
    }

    private mutating func rotateIfDue(random: inout MeshRandom, now: MeshInstant) {
        let age = secretSince.duration(to: now)
        guard age >= lifetime else { return }
        previousSecret = age < lifetime * 2 ? secret : nil
        secret = random.bytes(count: Self.secretByteCount)
        secretSince = now
    }

    private static func subject(_ node: NodeID, _ endpoint: Endpoint) -> [UInt8] {
        var writer = ByteWriter(capacity: 40)
        writer.append(integer: node.value)
        writer.append(integer: endpoint.interface.index)
        writer.append(integer: endpoint.port)
        writer.append(endpoint.address.bytes)
        return writer.bytes
    }

    /// Compares in a time that does not depend on the position of a difference.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
