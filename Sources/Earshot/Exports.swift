// The values of the core belong to the library's own interface: `import Earshot` brings them.
@_exported public import ChatCore
// The types of ChatCrypto that this interface uses belong to it too. The machines of the protocol do not: a program that
// drives them imports ChatCrypto.
@_exported public import struct ChatCrypto.Fingerprint
@_exported public import struct ChatCrypto.GroupID
@_exported public import enum ChatCrypto.GroupLimits
@_exported public import struct ChatCrypto.GroupPolicy
@_exported public import struct ChatCrypto.IdentityCode
@_exported public import struct ChatCrypto.MailboxToken
@_exported public import struct ChatCrypto.MessageID
@_exported public import struct ChatCrypto.PeerID
@_exported public import struct ChatCrypto.PublicIdentity
@_exported public import struct ChatCrypto.RevocationCertificate
@_exported public import enum ChatCrypto.RoomAdmission
@_exported public import struct ChatCrypto.RoomCode
@_exported public import struct ChatCrypto.RoomInvite
@_exported public import class ChatCrypto.SecretBytes
@_exported public import enum ChatCrypto.TrustEvent
@_exported public import enum ChatCrypto.TrustState

// The form of metrics belongs to it as well.
@_exported public import struct MeshTransport.Metric
