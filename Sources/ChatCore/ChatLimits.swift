import ChatCrypto

/// The limits of a node's conversations; PROTOCOL §12 lists them with their reasons.
package enum ChatLimits {
    /// The longest text that is part of its content; longer ones are sent as attachments.
    ///
    /// Units: bytes of UTF-8.
    package static let textByteCount = 13 * 1_024
    /// The longest text that is part of its content beside files.
    ///
    /// Units: bytes of UTF-8.
    package static let textBesideFilesByteCount = 4 * 1_024
    /// The longest text.
    ///
    /// Units: bytes of UTF-8.
    package static let longTextByteCount = 64 * 1_024
    /// The most files of one message.
    package static let fileCount = 16
    /// The largest attachment that the mesh stores for an offline recipient.
    ///
    /// Units: bytes.
    package static let smallBlobByteCount: UInt64 = 256 * 1_024
    /// The default size of all attachments of a data directory; beyond it none is sent and none fetched.
    ///
    /// Units: bytes.
    package static let blobByteCount: UInt64 = 16 << 30
    /// The most bytes of a file that are read at once.
    ///
    /// Units: bytes.
    package static let rangeByteCount = 4 << 20
    /// The number of pictures and voice notes that are remembered to match their messages.
    package static let checkedCount = 1_024
    /// The number of remembered decisions on whether a member of a group may have an attachment.
    package static let grantCount = 1_024
    /// The most attachments of a data directory; beyond them none is sent and none fetched.
    package static let blobCount = 65_536
    /// The most plain copies under one name in one directory.
    package static let copyCount = 1_000
    /// The life of an attachment's piece in the mesh (12 h).
    ///
    /// Units: ticks of 10 s.
    package static let fragmentLife: UInt16 = 4_320
    /// The time after which the mesh has forgotten pieces, so that they are new to it (12 h 20 min).
    ///
    /// Units: milliseconds.
    package static let spreadAge: UInt64 = 44_400_000
    /// The time for which pieces of an attachment may be missing before it is fetched along a path (30 s).
    ///
    /// Units: milliseconds.
    package static let fragmentPatience: UInt64 = 30_000
    /// The most other members of a group whose small attachments go to some nodes of a crowd instead of all.
    ///
    /// Each member then asks those nodes, which for more members costs more than it saves.
    package static let handedMemberCount = 16
    /// The longest time between two requests for missing pieces (1 h).
    ///
    /// Units: milliseconds.
    package static let longestFetchPause: UInt64 = 3_600_000
    /// The number of requests after which that time is reached.
    package static let largestFetchCount = 7
    /// The most attachments with missing pieces whose fetching begins at once.
    package static let overdueCount = 256
    /// The most messages without receipt in the outbox; one more is refused.
    package static let outboxCount = 10_000
    /// The most messages to one peer that are sealed and have no receipt; the rest waits in the outbox.
    ///
    /// Below the 1,000 skipped keys that a receiver allows, so that the newest may arrive first.
    package static let inFlightCount = 800
    /// The most conversations with unknown peers; the oldest makes room.
    package static let requestCount = 100
    /// The most messages accepted from one unknown peer until the user accepts the peer.
    ///
    /// Further messages are left unopened, so that they still open when their sender tries again.
    package static let requestMessageCount = 100
    /// The highest number a sender may give a message; beyond it the next numbers could overflow.
    package static let maximumOrder = UInt64(1) << 62
    /// The most messages that wait for an earlier one of their sender; with one more the oldest gap is given up.
    package static let heldCount = 2_048
    /// The time for which a message waits for an earlier one; two neighbours on its way compare their stores in it.
    package static let reorderTime = Duration.seconds(15)
    /// The time for which receipts are collected after one was sent; the first is sent at once.
    package static let receiptDelay = Duration.milliseconds(50)
    /// The time for which receipts for messages to groups are collected: a recipient is one of many.
    package static let groupReceiptDelay = Duration.milliseconds(250)
    /// The time for which receipts for messages to large groups are collected if they are carried, and then the releases
    /// of these receipts.
    package static let gatheringDelay = Duration.seconds(5)
    /// The number of other members from which a group is large in this.
    package static let gatheredMemberCount = 8
    /// The most releases of one group that are gathered; as many are posted at once.
    package static let gatheredReleaseCount = 64
    /// The time for which a receipt for a message to a group waits for a way, and then for its release, a quarter longer at
    /// most, until it is posted.
    package static let trailPatience = Duration.seconds(60)
    /// The number of contents whose receipt leaves at once, however short the time since the one before.
    package static let promptReceiptCount = 64
    /// The most message ids in one receipt.
    package static let receiptCount = 256
    /// The number of events by which a subscriber may be behind; further events are dropped and counted for it.
    ///
    /// The events of one batch fit.
    package static let eventBacklog = 2_048
    /// The most subscribers of events, and the most readers of other sequences, at once; further ones are refused.
    package static let subscriberCount = 256
    /// The shortest time between two reads of a value for the same reader, the time for which a screen shows a picture.
    package static let updateInterval = Duration.milliseconds(16)
    /// The most peers whose prekey bundles are kept; the unknown peer not seen for the longest time makes room.
    package static let bundleCount = 4_096
    /// The most peers that receive a changed profile at once; others see it beside the next message.
    package static let profileNotifyCount = 64
    /// The shortest time for which messages can be kept.
    package static let leastRetention = Duration.seconds(60)
    /// The time for which the tombstone of a removed message is kept (14 days).
    ///
    /// Units: milliseconds.
    package static let tombstoneAge: UInt64 = 14 * 86_400_000
    /// The most messages examined at once when the oldest may be removed.
    package static let trimCount = 64
    /// The life of a sealed envelope in the mesh (72 h).
    ///
    /// Units: ticks of 10 s.
    package static let sealedLife: UInt16 = 25_920
    /// The life of a release in the mesh (24 h).
    ///
    /// Units: ticks of 10 s.
    package static let releaseLife: UInt16 = 8_640
    /// The time after which a message without receipt has failed (7 days).
    ///
    /// Units: milliseconds.
    package static let outboxAge: UInt64 = 7 * 86_400_000
    /// The time after which an own receipt is given up (24 h).
    ///
    /// Units: milliseconds.
    package static let receiptAge: UInt64 = 86_400_000
    /// The time without receipt after which a reachable peer is sent a new prekey message (1 h).
    ///
    /// Units: milliseconds.
    package static let sessionResetAge: UInt64 = 3_600_000
    /// The time without receipt after which that happens once, if the sessions are from before the start.
    ///
    /// Units: milliseconds.
    package static let doubtAge: UInt64 = 30_000
    /// The time since the last packet of a peer for which the peer counts as reachable (2 min).
    ///
    /// Units: milliseconds.
    package static let reachableAge: UInt64 = 120_000
    /// The time by which the store may be behind in the last packet of a peer.
    ///
    /// Units: milliseconds.
    package static let lastSeenStep: UInt64 = 1_000
    /// The most control messages for members of groups that may wait; beyond them none is made and no group is changed.
    package static let controlCount = 32_768
    /// The number of control messages to one peer in transit beyond which its requests for operations are not answered.
    package static let controlsInFlightCount = 64
    /// The largest welcome; the new member requests operations that do not fit.
    ///
    /// Units: bytes.
    package static let welcomeByteCount = 12 * 1_024
    /// The most operations in one control message.
    ///
    /// Units: bytes.
    package static let operationsByteCount = 12 * 1_024
    /// The time for which missing operations may still arrive by themselves, and the first pause between requests for
    /// them.
    package static let groupAskPause = Duration.seconds(2)
    /// The longest pause between requests for operations.
    package static let longestGroupAskPause = Duration.seconds(600)
    /// The most members that an owner asks, after a start, for operations that its store has lost.
    package static let confirmationCount = 8
    /// The time for which the owner waits for their answer.
    package static let confirmationWait = Duration.seconds(10)
    /// The longer time to wait if a member was seen since the start: a session with that member may have to be reset.
    package static let longerConfirmationWait = Duration.seconds(35)
    /// The most members of a group that are remembered as reported for two contents at one position.
    package static let equivocatorCount = 256
    /// The time for which keys are collected before the stored envelopes of the mesh are tried with them.
    package static let recallDelay = Duration.milliseconds(100)
    /// The time until a message to a group that some members lack is spread again, doubled each time (1 h).
    ///
    /// Units: milliseconds.
    package static let resealPause: UInt64 = 3_600_000
    /// The longest such pause (24 h).
    ///
    /// Units: milliseconds.
    package static let longestResealPause: UInt64 = 86_400_000
    /// The interval at which keys, prekey bundles and outbox are checked for expired entries.
    package static let housekeeping = Duration.seconds(60)
    /// The number of prekey messages a second for which the costly part of opening is done; the others wait.
    package static let decapsulationRate = 50
    /// The most of them at once, after a pause.
    package static let decapsulationBurst = 200
    /// The time after which prekey messages that had to wait are tried again: that of a burst at the rate.
    package static let decapsulationPause = Duration.seconds(4)
    /// The receipts that show a message to a large group as delivered; 16 members are asked for them.
    package static let sampledReceiptCount = 12
    /// The policies of a group's past that are remembered.
    package static let pastPolicyCount = 64
    /// The former members of a group that are remembered.
    package static let formerMemberCount = 512
    /// The length of a part of what is too long for one content.
    ///
    /// Units: bytes.
    package static let partByteCount = 12_288
    /// The time within which the state that a welcome names is expected.
    package static let statePartPause = Duration.seconds(30)
    /// The time for which a new owner waits for the secrets of all nodes before it renews them itself.
    package static let treeWait = Duration.seconds(60)
    /// The most requests of a member for the same operations, about 8 days of them; a later message begins them anew.
    package static let groupAskCount = 1_200
    /// The most proposals of one admin that an owner takes within ``proposalPause``.
    package static let proposalCount = 60
    /// The time after which an owner counts the proposals of admins anew.
    package static let proposalPause = Duration.seconds(600)
    /// The time without a sign of life of the owner after which the successor may take over a group (14 days).
    ///
    /// Units: seconds.
    package static let ownerSilence: UInt64 = 14 * 86_400
    /// The time without own operations after which an owner asks members again before the next one (13 days).
    ///
    /// It is shorter than ``ownerSilence``, so that an owner learns of a takeover first. Units: seconds.
    package static let ownerCertainty: UInt64 = 13 * 86_400
    /// The age of a member's answer upon which a successor may take over (1 h).
    ///
    /// Units: seconds.
    package static let answerAge: UInt64 = 3_600
    /// The pause between two welcomes that a member gets because it requests them.
    package static let welcomePause = Duration.seconds(60)
    /// The times after which an owner spreads an operation again.
    ///
    /// Units: seconds.
    package static let operationRepeats: [UInt32] = [3_600, 4 * 3_600, 24 * 3_600]
    /// The age up to which an owner spreads operations again at its start.
    ///
    /// Units: seconds.
    package static let operationRepeatAge: UInt32 = 72 * 3_600
    /// The time without messages of a group after which a member asks for operations.
    package static let operationLookInterval = Duration.seconds(24 * 3_600)
    /// The number of prekey messages that one generation of the memory holds: as many as the store of the mesh.
    package static let triedPrekeyMessageCount = 65_536
    /// The most prekey messages that are remembered for another try as soon as they may be of use.
    package static let asidePrekeyMessageCount = 1_024
    /// The time after which a generation of that memory ends.
    package static let triedPrekeyMessageLife = Duration.seconds(3_600)
    /// The longest time for which a prekey is published once unknown peers have used up half of it.
    ///
    /// The other half lasts longer at the 50 first messages a second that links may deliver unrequested.
    package static let crowdedPrekeyLife = Duration.seconds(10)
    /// The time for which a step that the store refused waits for the next try.
    package static let storagePause = Duration.seconds(1)
    /// The number of writes after which a step ends and leaves the rest to the next, so that no step outgrows one batch
    /// of the store.
    ///
    /// A single report adds at most some 2,100 to that: a message of 256 contents, and all changes that arrived before
    /// them. Together with the ``batchWriteCount`` of the steps before it, this fits too.
    package static let stepWriteCount = SessionLimits.maximumExpiriesPerStep
    /// The number of writes of a batch from which on nothing is sealed in it: what is due is sealed in the next.
    package static let sealingWriteCount = 1_536
    /// The number of last written records that are remembered; at most twice as many.
    package static let recentWriteCount = 2_048
    /// The largest record that is remembered.
    ///
    /// Units: bytes.
    package static let recentWriteByteCount = 1_024
    /// The most reports of the mesh in one step.
    package static let reportCount = 512
    /// The number of steps after which a batch is made durable, even if more wait to join it.
    package static let batchStepCount = 512
    /// The number of writes after which a batch is made durable: with those of one more step they fit one batch of the
    /// store.
    package static let batchWriteCount = 512
    /// The written size after which a batch is made durable, and a step leaves the rest to the next.
    ///
    /// Units: bytes.
    package static let batchByteCount = 1 << 20
    /// The number of positions that a new conversation leaves free before its first message, for imported messages.
    package static let importedPositionCount: UInt64 = 1 << 32
    /// The most messages in one page of history.
    package static let pageCount = 1_000
    /// The most paths to and from peers; the one unused for longest makes room.
    package static let pathCount = 64
    /// The time for which a path is used after its last packet; relays forget it soon after.
    package static let pathIdle = Duration.seconds(50)
    /// The most ways to peers; the one that relays forget first makes room.
    package static let wayCount = 1_024
    /// The most envelopes under way to one peer; the rest waits in the outbox.
    ///
    /// They fit what relays keep for one label.
    package static let wayCapacity = 24
    /// The most carried messages that are remembered, for posts of the same messages.
    package static let carriedArrivalCount = 4_096
    /// The contents that a message may have beyond what is carried: from the bucket of 2 KiB to that of 16 KiB.
    ///
    /// Units: bytes.
    package static let uncarriedByteCount = 14_336
    /// The time for which the trail of a post is used; relays forget it soon after.
    package static let trailLife = Duration.seconds(50)
    /// The time for which a way is used after this node last sent along it; relays forget it soon after.
    package static let wayLife = Duration.seconds(540)
    /// The longest time for which a receipt is awaited until what was carried is posted.
    package static let wayPatience = Duration.seconds(2)
    /// That time before anything was confirmed on a way, and the time for which messages wait for a way to open.
    package static let firstPatience = Duration.seconds(1)
    /// The shortest such time; it is four round trips.
    package static let leastPatience = Duration.milliseconds(500)
    /// The time for which a node waits for an answer to a hello; relays forget its label then.
    package static let helloLife = Duration.seconds(20)
    /// The least time between two hellos to a peer.
    package static let helloInterval = Duration.seconds(2)
    /// The number of messages to a peer without an answer from it, after which no hello is sent.
    ///
    /// Together with ``inFlightCount`` no more than the 1,000 skipped keys that a receiver allows.
    package static let helloChainCount = 200
    /// The most large attachments fetched at once; the others wait in the order in which they were expected.
    package static let fetchCount = 4
    /// The time for which an attachment waits after the disk refused a part of it.
    package static let fetchPause = Duration.seconds(60)
    /// The time for which an attachment waits that its sender does not have.
    package static let absentPause = Duration.seconds(600)
    /// The longest time between two searches for a peer from which a blob has to be fetched.
    package static let pathSearchPause = Duration.seconds(60)
    /// The number of searches a second; each is a probe on every link of the mesh.
    package static let pathSearchRate = 2
    /// The most searches at once.
    package static let pathSearchBurst = 4
    /// The interval at which the present chunks of an attachment are recorded durably.
    package static let noteInterval = Duration.seconds(2)
    /// The interval at which progress is reported.
    package static let progressInterval = Duration.milliseconds(200)
    /// The most pieces that are passed to a path at once.
    package static let uploadBatchCount = 16
    /// The number of chunks written before the disk is asked to begin with them: 4 MiB.
    package static let writeOutCount = 128
    /// The number of chunks that are sealed while as many are being written.
    package static let sealBatchCount = 64
    /// The most attachment files that are kept open.
    package static let openFileCount = 16
    /// The time after which an incomplete attachment is given up (7 days).
    ///
    /// Units: milliseconds.
    package static let fileAge = outboxAge
    /// The most peers that are offered a path when this node is back and has something large for them.
    package static let offerCount = 8
    /// The most pings in transit at once; one more is refused.
    package static let pingCount = 256
    /// The time for which a ping waits for its answer.
    package static let pingTimeout = Duration.seconds(5)
    /// The time for which a live ping waits for its answer; speech that arrives later is useless.
    package static let livePingTimeout = Duration.seconds(1)
    /// The most replaced identities that still receive; the user waits with the next rotation.
    package static let formerCount = 4
    /// The number of own past identities that are remembered.
    package static let pastCount = 64
    /// The most rotations and revocations that contacts are notified of at once.
    package static let announcementCount = 8
}
