import Bytes

#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks prekey messages: damaged ones, and ones that authenticate although every sealed field comes from the
/// fuzzer.
func fuzzFlight(_ input: [UInt8]) {
    var choices = Choices(input)
    let isDamaged = choices.flag()
    let bytes = isDamaged ? choices.variant(of: genuine.bytes) : forged(&choices)
    guard let prekeyMessage = try? OpenedPrekeyMessage(bytes[...], recipient: bob, prekeys: people.tables[1].prekeys)
    else { return }
    precondition(!isDamaged || bytes == genuine.bytes)
    precondition(prekeyMessage.sender.id != bob.publicIdentity.id)
    let session = Session(accepting: prekeyMessage, as: bob.publicIdentity.id, at: People.now)
    precondition(!session.canSend(at: People.now))
}

private let bob = people.identities[1]
private let genuine = required {
    try PrekeyMessage(from: people.identities[0], to: people.tables[1].bundle, at: People.now)
}
private let ephemeral = X25519.PrivateKey()
private let encapsulation = required { try KEM768.encapsulate(to: people.prekey.bundle.kemPrekey) }

/// The secret that both sides share after the agreement of the ephemeral key and the recipient's key.
private let begun: SymmetricState = {
    var noise = PrekeyMessage.start(recipient: bob.publicIdentity)
    noise.mixHash(ephemeral.publicKey)
    noise.mixKey(required { try ephemeral.sharedSecret(with: bob.agreement.publicKey) })
    return noise
}()

private func forged(_ choices: inout Choices) -> [UInt8] {
    var noise = begun
    let sequence = choices.flag() ? people.prekey.bundle.sequence.bigEndianBytes : choices.field(4)
    var bytes = ephemeral.publicKey + noise.encryptAndHash(sequence)
    noise.mixHash(people.prekey.bundle.bytes)
    noise.mixKey(required { try people.prekey.key.sharedSecret(with: ephemeral.publicKey) })
    let ciphertext = choices.flag() ? encapsulation.ciphertext : choices.variant(of: encapsulation.ciphertext)
    bytes += noise.encryptAndHash(ciphertext)
    if let secret = try? KEM768.decapsulate(ciphertext, seed: people.prekey.kemSeed) { noise.mixKey(secret) }
    let agreementKey = choices.flag() ? bob.agreement.publicKey : choices.field(32)
    bytes += noise.encryptAndHash(agreementKey)
    if let shared = try? people.prekey.key.sharedSecret(with: agreementKey) { noise.mixKey(shared) }
    return bytes + noise.encryptAndHash((choices.flag() ? bob.signing.publicKey : choices.field(32)) + choices.field(5))
}
