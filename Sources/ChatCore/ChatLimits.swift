import ChatCrypto

/// The limits of a node's conversations; PROTOCOL §12 lists them with their reasons.
package enum ChatLimits {
    /// Units: bytes of UTF-8 in one text that stands in its content; longer ones travel as blobs.
    package static let textByteCount = 15 * 1_024
    /// Units: bytes of UTF-8 in a text that stands in its content beside files.
    package static let textBesideFilesByteCount = 4 * 1_024
    /// Units: bytes of UTF-8 in the longest text.
    package static let longTextByteCount = 64 * 1_024
    /// Files of one message.
    package static let fileCount = 16
    /// Units: bytes of an object that the mesh keeps for a recipient who is away.
    package static let smallBlobByteCount: UInt64 = 256 * 1_024
    /// Units: bytes of all objects of a home if nothing else is set; beyond them none is sent and none fetched.
    package static let blobByteCount: UInt64 = 16 << 30
    /// Units: bytes of a file that are read at once.
    package static let rangeByteCount = 4 << 20
    /// Pictures and voice notes that are known to be what their messages say.
    package static let checkedCount = 1_024
    /// Answers that are remembered to whether a member of a group may have an object.
    package static let grantCount = 1_024
    /// Objects of a home; beyond them none is sent and none fetched.
    package static let blobCount = 65_536
    /// Plain copies under one name in one folder.
    package static let copyCount = 1_000
    /// Units: ticks of 10 s that a piece of an object lives in the mesh (12 h).
    package static let pieceLife: UInt16 = 4_320
    /// Units: milliseconds after which the mesh has forgotten pieces, so that they are new to it (12 h 20 min).
    package static let spreadAge: UInt64 = 44_400_000
    /// Units: milliseconds for which pieces of an object may be missing before it is fetched along a path (30 s).
    package static let piecePatience: UInt64 = 30_000
    /// Objects with missing pieces that begin to be fetched at once.
    package static let overdueCount = 256
    /// Messages without receipt that the outbox holds; one more is refused.
    package static let outboxCount = 10_000
    /// Messages to one peer that are sealed and not receipted; the rest waits in the outbox.
    ///
    /// Below the 1,000 skipped keys a receiver allows, so that the newest may arrive first.
    package static let inFlightCount = 800
    /// Conversations with strangers; the oldest makes room.
    package static let requestCount = 100
    /// Messages taken from one stranger until the user accepts.
    ///
    /// More are left unopened, so that they still open when their sender tries again.
    package static let requestMessageCount = 100
    /// The highest number a sender may give a message; beyond it counting on would overflow.
    package static let maximumOrder = UInt64(1) << 62
    /// Messages that wait for an earlier one of their sender; with one more the oldest gap is given up.
    package static let heldCount = 1_024
    /// How long a message waits for an earlier one.
    package static let holdBack = Duration.seconds(5)
    /// How long receipts are collected after one has left; the first leaves at once.
    package static let receiptDelay = Duration.milliseconds(50)
    /// How long receipts for messages to groups are collected: a recipient is one of many.
    package static let groupReceiptDelay = Duration.milliseconds(250)
    /// Message ids in one receipt.
    package static let receiptCount = 256
    /// Events a subscriber may be behind; more are dropped and counted for it.
    ///
    /// What one batch brings at once fits.
    package static let eventBacklog = 2_048
    /// How often a subscriber that missed something is told, until it has room to hear it.
    package static let lagInterval = Duration.milliseconds(100)
    /// Subscribers and status watchers at once; the oldest makes room.
    package static let subscriberCount = 256
    /// Peers whose bundles are kept; the longest unseen stranger makes room.
    package static let bundleCount = 4_096
    /// Peers that are told at once how the user wants to be shown; others see it beside the next message.
    package static let profileTellCount = 64
    /// The shortest time for which messages can be kept.
    package static let leastRetention = Duration.seconds(60)
    /// Units: milliseconds for which it stays known that a message was there that has gone (14 days).
    package static let remainsAge: UInt64 = 14 * 86_400_000
    /// Messages that are looked at at once where the oldest may go.
    package static let trimCount = 64
    /// Units: ticks of 10 s that a sealed envelope lives in the mesh (72 h).
    package static let sealedLife: UInt16 = 25_920
    /// Units: ticks of 10 s that a release lives in the mesh (24 h).
    package static let releaseLife: UInt16 = 8_640
    /// Units: milliseconds until a message without receipt has failed (7 days).
    package static let outboxAge: UInt64 = 7 * 86_400_000
    /// Units: milliseconds until an own receipt is given up (24 h).
    package static let receiptAge: UInt64 = 86_400_000
    /// Units: milliseconds without receipt after which a reachable peer is sent a new first flight (1 h).
    package static let beginAgainAge: UInt64 = 3_600_000
    /// Units: milliseconds without receipt after which that happens once, where the sessions are from before the start.
    package static let doubtAge: UInt64 = 30_000
    /// Units: milliseconds since something came from a peer that count as reachable (2 min).
    package static let reachableAge: UInt64 = 120_000
    /// Units: milliseconds by which the store may be behind in when something last came from a peer.
    package static let lastSeenStep: UInt64 = 1_000
    /// Lines that a group's log tells who joins, the newest: they are written in one step.
    package static let lineCount = 500
    /// Notes for members of groups that may wait; beyond them none is made and no group is changed.
    package static let noteCount = 32_768
    /// Notes to one peer under way, beyond which its requests for operations are not answered.
    package static let notesInFlightCount = 64
    /// Units: bytes of a welcome; operations that do not fit are asked for.
    package static let welcomeByteCount = 8 * 1_024
    /// Units: bytes of operations in one note.
    package static let operationsByteCount = 12 * 1_024
    /// How long operations that are missing may still come by themselves, and the first pause between asking for them.
    package static let groupAskPause = Duration.seconds(2)
    /// The longest pause between asking for operations.
    package static let longestGroupAskPause = Duration.seconds(600)
    /// Members whom the owner of a group asks, once after each start, for operations that it has lost.
    package static let confirmationCount = 8
    /// How long the owner waits for their answer.
    package static let confirmationWait = Duration.seconds(10)
    /// How much longer it waits where a member was heard since the start: a session with it may have to be begun again.
    package static let longerConfirmationWait = Duration.seconds(35)
    /// How long keys are collected before what the mesh holds is tried with them.
    package static let recallDelay = Duration.milliseconds(100)
    /// Units: milliseconds until a message to a group that not everybody has is spread again, doubling each time (1 h).
    package static let postPause: UInt64 = 3_600_000
    /// Units: milliseconds of the longest such pause (24 h).
    package static let longestPostPause: UInt64 = 86_400_000
    /// How often keys, bundles and outbox are looked through for what has expired.
    package static let housekeeping = Duration.seconds(60)
    /// How long a prekey is published at most once strangers have used up half of it.
    ///
    /// The other half lasts longer at the 50 first messages a second that links may bring unasked.
    package static let crowdedPrekeyLife = Duration.seconds(10)
    /// How long a step that the store refused waits for the next try.
    package static let storagePause = Duration.seconds(1)
    /// Writes after which a step ends and leaves the rest to the next, so that no step outgrows one batch of the store.
    ///
    /// A single report adds at most some 1,100 to that: a message, and all changes that came before it. With the
    /// ``batchWriteCount`` of the steps before it that fits too.
    package static let stepWriteCount = SessionLimits.maximumExpiriesPerStep
    /// Records written last that are remembered, at most twice as many.
    package static let recentWriteCount = 2_048
    /// Units: bytes of the largest record that is remembered.
    package static let recentWriteByteCount = 1_024
    /// Reports of the mesh that one step takes at most.
    package static let reportCount = 512
    /// Steps after which a batch is made durable, even if more wait to join it.
    package static let batchStepCount = 512
    /// Writes after which a batch is made durable: with those of one more step they fit one batch of the store.
    package static let batchWriteCount = 512
    /// Units: bytes written after which a batch is made durable, and a step leaves the rest to the next.
    package static let batchByteCount = 1 << 20
    /// Positions that a new conversation leaves free before its first message, for what may be imported.
    package static let importedPlaceCount: UInt64 = 1 << 32
    /// Messages in one page of history.
    package static let pageCount = 1_000
    /// Paths to and from peers; the one unused for longest makes room.
    package static let pathCount = 64
    /// How long a path is used after something last came by it; relays forget it soon after.
    package static let pathIdle = Duration.seconds(50)
    /// How long an answer to a hello is waited for; relays forget its label then.
    package static let helloLife = Duration.seconds(20)
    /// The least time between two hellos to a peer.
    package static let helloInterval = Duration.seconds(2)
    /// Messages to a peer without a word from it, after which no hello goes out.
    ///
    /// With ``inFlightCount`` no more than the 1,000 skipped keys that a receiver allows.
    package static let helloChainCount = 200
    /// Large objects that are fetched at once; the others wait in the order in which they were expected.
    package static let fetchCount = 4
    /// How long an object waits after the disk refused some of it.
    package static let fetchPause = Duration.seconds(60)
    /// How long an object waits that its sender has not got.
    package static let absentPause = Duration.seconds(600)
    /// The longest time between two looks for a peer that something is to be fetched from.
    package static let lookPause = Duration.seconds(60)
    /// Looks a second; each is a probe on every link of the mesh.
    package static let lookRate = 2
    /// Looks at once.
    package static let lookBurst = 4
    /// How often it is made durable which chunks of an object are there.
    package static let noteInterval = Duration.seconds(2)
    /// How often progress is told.
    package static let progressInterval = Duration.milliseconds(200)
    /// Pieces that are handed to a path at once.
    package static let uploadBatchCount = 16
    /// Chunks that are written before the disk is told to begin with them: 4 MiB.
    package static let writeOutCount = 128
    /// Chunks that are sealed while as many are being written.
    package static let sealBatchCount = 64
    /// Files of objects that are kept open.
    package static let openFileCount = 16
    /// Units: milliseconds after which an object that is not whole is given up (7 days).
    package static let fileAge = outboxAge
    /// Peers that are told of a path when this node is back and has something large for them.
    package static let offerCount = 8
    /// Pings under way at once; one more is refused.
    package static let pingCount = 256
    /// How long a ping waits for its answer.
    package static let pingTimeout = Duration.seconds(5)
    /// How long a live ping waits for its answer; speech that comes later is worth nothing.
    package static let livePingTimeout = Duration.seconds(1)
    /// Identities that were replaced and are received for still; the user waits with the next rotation.
    package static let formerCount = 4
    /// Own identities of the past that are remembered.
    package static let pastCount = 64
    /// Rotations and revocations that contacts are being told of at once.
    package static let announcementCount = 8
}
