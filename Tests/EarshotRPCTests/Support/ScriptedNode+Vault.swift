import ChatCrypto
import EarshotRPC

@testable import ChatCore
@testable import Earshot

extension ScriptedNode {
    func changePassphrase(_ change: PassphraseChange) throws(ChatError) {
        try check()
        passphraseChanges.append(change)
    }

    func lock() throws(ChatError) {
        try check()
        isLocked = true
    }

    func unlock(passphrase: String) throws(ChatError) {
        guard passphrase == "right horse" else { throw ChatError(.locked, "The passphrase is wrong.") }
        isLocked = false
    }

    func backUpIdentity(passphrase: String) throws(ChatError) -> [UInt8] {
        try check()
        return Array(passphrase.utf8)
    }

    func rotationPlan() throws(ChatError) -> RotationPlan {
        try check()
        return RotationPlan(contactCount: 2, following: ["Choir"], leaving: [], owned: ["Chess"])
    }

    func rotateIdentity() throws(ChatError) -> PeerID {
        try check()
        return try Self.peer(Samples.aliceHex)
    }

    func revocationCertificate() throws(ChatError) -> [UInt8] {
        try check()
        return [1, 2, 3]
    }

    func revokeIdentity(by certificate: [UInt8]?) throws(ChatError) -> PeerID {
        try check()
        revoked.append(certificate)
        return try Self.peer(Samples.bobHex)
    }

    private static func peer(_ hex: String) throws(ChatError) -> PeerID {
        guard let id = PeerID(hex: hex) else { throw ChatError(.notFound, "No peer has this id.") }
        return id
    }

    func noteUse() { useCount += 1 }

    func eraseConversation(_ conversation: ConversationID) throws(ChatError) {
        try check()
        erased.append(conversation)
    }

    func erase() throws(ChatError) {
        try check()
        erased.append(nil)
    }
}
