import ChatCrypto
import EarshotRPC

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
