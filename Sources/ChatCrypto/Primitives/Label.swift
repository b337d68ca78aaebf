/// The purposes that separate each use of a key or hash from every other use.
///
/// Each label is named at exactly one place of the sources, written out as `Label.name`. A type that needs its label
/// twice, for example to sign and to verify, keeps it in a constant. A test counts the places. Source: PROTOCOL §1.
package enum Label: String, CaseIterable, Sendable {
    // Identity
    case peerID = "earshot/v1/id"
    case fingerprint = "earshot/v1/fp"
    case bundle = "earshot/v1/bundle"
    case rotationByOldKey = "earshot/v1/rot/old"
    case rotationByNewKey = "earshot/v1/rot/new"
    case revocation = "earshot/v1/revoke"

    // First prekey message
    case prekeyMessage = "earshot/v1/pk"
    case prekeyMessageSplit = "earshot/v1/pk/split"
    case sessionID = "earshot/v1/sid"

    // Session messages
    case ratchetRoot = "earshot/v1/dr/root"
    case ratchetMessage = "earshot/v1/dr/msg"
    case ratchetHeader = "earshot/v1/hdr"
    case exchange = "earshot/v1/pq"
    case exchangeKey = "earshot/v1/pq/ek"
    case release = "earshot/v1/release"
    case envelopeID = "earshot/v1/pid"
    case messageID = "earshot/v1/mid"

    // Mailboxes
    case mailbox = "earshot/v1/far"
    case mailboxOfGroup = "earshot/v1/far/group"
    case mailboxToken = "earshot/v1/far/token"
    case mailboxMail = "earshot/v1/far/mail"
    case mailboxRelease = "earshot/v1/far/release"

    // Paths
    case path = "earshot/v1/path"
    // Blobs
    case blobPart = "earshot/v1/blob"
    case chunkTag = "earshot/v1/chunk"
    case chunkProof = "earshot/v1/chunk/mac"

    // Groups
    case groupID = "earshot/v1/gid"
    case groupOperation = "earshot/v1/gop"
    case groupHistory = "earshot/v1/ops"
    case groupHeaderKey = "earshot/v1/ghk"
    case groupData = "earshot/v1/gad"
    case groupMessage = "earshot/v1/gmsg"
    case groupTable = "earshot/v1/gtab"
    case groupNodeNext = "earshot/v1/gnode/next"
    case groupNodeUp = "earshot/v1/gnode/up"
    case groupWrap = "earshot/v1/gwrap"
    case groupEpoch = "earshot/v1/gepoch"

    // Rooms
    case door = "earshot/v1/door"
    case lobby = "earshot/v1/lobby"
    case room = "earshot/v1/room"
    case roomBeacon = "earshot/v1/room/beacon"
    case join = "earshot/v1/join"
    case joinRun = "earshot/v1/join/run"

    // Links
    case link = "earshot/v1/link"
    case node = "earshot/v1/node"
    case openMesh = "earshot/v1/open-mesh"
    case meshSalt = "earshot/v1/mesh/salt"
    case meshTag = "earshot/v1/mesh/tag"
    case meshBeacon = "earshot/v1/mesh/beacon"

    // Storage
    case vault = "earshot/v1/vault"
    case backup = "earshot/v1/backup"
    case export = "earshot/v1/export"
    case databaseIdentity = "earshot/v1/db/identity"
    case databaseSessions = "earshot/v1/db/sessions"
    case databaseConversationKeys = "earshot/v1/db/deks"
    case databaseNames = "earshot/v1/db/names"
    case databaseDigests = "earshot/v1/db/sums"
    case databaseAnchor = "earshot/v1/db/anchor"

    /// The label after its length: `L(s)`.
    ///
    /// Shape: 1 byte length, then ASCII.
    package var bytes: [UInt8] { [UInt8(rawValue.utf8.count)] + info }

    /// The ASCII bytes without the length, as HKDF takes them.
    package var info: [UInt8] { Array(rawValue.utf8) }
}
