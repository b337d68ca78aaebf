import MeshCore

/// The limits of a gateway.
///
/// Source: PROTOCOL §12.
package enum GatewayLimits {
    // MARK: - Hubs

    /// The hubs of one gateway.
    package static let hubCount = 4
    /// The first wait for a hub that is lost; each further one is twice as long.
    static let firstWait = Duration.milliseconds(500)
    /// The longest wait for a hub that is lost.
    static let longestWait = Duration.seconds(60)
    /// The time of use after which the first wait is short again.
    static let steadyTime = Duration.seconds(5)
    /// The time for which a gateway names a hub that it has lost.
    static let namedTime = Duration.seconds(120)
    /// The wait for a hub that refuses this gateway until its operator or its user changes something.
    static let refusedWait = Duration.seconds(3_600)
    /// The time in which a hub answers a question.
    static let answerTime = Duration.seconds(5)
    /// The time in which three unanswered questions in a row show that a hub is silent.
    static let silenceTime = Duration.seconds(30)
    /// The times that a question is repeated.
    static let repeatCount = 3
    /// The numbers of the questions of one examination.
    static let examinationQuestionCount: UInt64 = 16
    /// The time between two examinations of a hub in use.
    static let examinationTime = Duration.seconds(1_800)
    /// Units: bytes of an acknowledgement; the server's own have fewer than 300.
    static let acknowledgementByteCount = 1_024

    // MARK: - Watching

    /// The tags of one request to watch, and its size in bytes.
    static let (watchTagCount, watchByteCount) = (15, 252)
    /// The tags that other nodes watch.
    static let otherTagCount = 4_096
    /// The tags that this node watches.
    static let ownTagCount = 2_048
    /// The tags that are subscribed, random ones included; a connection has 8,192 subscriptions.
    static let subscriptionCount = 8_000
    /// The least number of subscriptions.
    static let leastTagCount = 64
    /// The time around midnight in which random tags change, as real ones do: half of it on each side.
    static let coverSpread = Duration.seconds(5_400)
    /// The time for which a request to watch holds.
    static let watchTime = Duration.seconds(1_500)
    /// The time for which a request holds after the life of its envelope.
    static let watchGrace = Duration.seconds(300)
    /// The least time between two questions for what is new under one tag.
    static let askSpacing = Duration.seconds(300)
    /// The questions for mail that are open at one hub.
    static let questionCount = 256
    /// The ids of fetched envelopes that are remembered.
    static let fetchedCount = 65_536
    /// The envelopes fetched in a second, and at once: by subscriptions, and as many besides by questions.
    static let (fetchRate, fetchBurst) = (100, 1_000)
    /// Units: bytes fetched in a second, and at once.
    static let fetchByteRate = 1 << 20
    /// The envelopes of one tag that are fetched on one day.
    static let fetchCountOfDay = MailStream.mailboxMessageCount

    // MARK: - Publishing

    /// The delivery proofs of one envelope.
    static let proofCounts = [1, 4, 16, 64]
    /// The envelopes that wait for all hubs together.
    static let queueCount = 4_096
    /// Units: bytes of the envelopes that wait for all hubs together.
    static let queueByteCount = 16 << 20
    /// The envelopes under way to one hub.
    static let windowCount = 512
    /// Units: bytes under way to one hub: at most, at first, and at least.
    static let (windowByteCount, firstWindowByteCount, leastWindowByteCount) = (2 << 20, 256 << 10, 48 << 10)
    /// The publications whose answer may still come late.
    static let lateCount = 4_096
    /// The acknowledged envelopes that are remembered for each hub.
    static let acknowledgedCount = 65_536
    /// The time for which a hub may lose what it has acknowledged: it writes to its disk every two minutes.
    static let acknowledgedTime = Duration.seconds(300)
    /// The full mailboxes that are remembered for each hub.
    static let fullCount = 1_024
    /// The first and the longest wait for a full mailbox or hub.
    static let (fullWait, longestFullWait) = (Duration.seconds(1), Duration.seconds(120))
    /// The time in which a recipient in this network may confirm, so that the hub is not needed.
    static let nearTime = Duration.seconds(30)
    /// The least time between two readings of the whole store.
    static let storeSpacing = Duration.seconds(1)
    /// The least time between two findings that a hub has lost mail.
    static let lossSpacing = Duration.seconds(60)
    /// The most gateways that are waited for before an envelope is published.
    static let rankCount = 4
    /// The envelopes of one link published in a second, and at once.
    static let (linkRate, linkBurst) = (20, 400)
    /// The envelopes of all links together published in a second.
    static let othersRate = 200
    /// The envelopes of this node published in a second.
    static let ownRate = 1_000
    /// The envelopes of this node that go together once it has reached its rate.
    static let ownBatch = 16

    // MARK: - Other gateways

    /// The other gateways that are remembered.
    static let gatewayCount = 64
    /// The hubs of one other gateway.
    static let gatewayHubCount = 16
    /// The time for which another gateway is remembered.
    static let gatewayTime = Duration.seconds(600)
    /// Units: ticks of 10 s.
    static let announcementLife: UInt16 = 60
    /// The life that a fresh announcement has left at least.
    ///
    /// Units: ticks of 10 s.
    static let freshAnnouncementLife: UInt16 = 59
    /// The time between two announcements, and the fraction by which it varies.
    static let (announcementTime, announcementJitter) = (Duration.seconds(300), 0.2)
    /// The least time between two announcements.
    static let announcementSpacing = Duration.seconds(60)
    /// The time after a connection in which others may be about to connect too, and are not doubted.
    static let doubtTime = Duration.seconds(30)
    /// The time that each gateway of a lower rank waits for.
    static let rankTime = Duration.seconds(2)
}
