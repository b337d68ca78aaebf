/// The limits and intervals of links and handshakes.
///
/// Source: PROTOCOL §3, §12.
package struct LinkConfiguration: Sendable {
    /// Links that others may have dialled, at the start; a relay takes 24.
    package var acceptLimit = 12
    /// Links in all, whoever dialled.
    package var maximumLinkCount = 24
    /// Links to one address of another host.
    package var linksPerAddress = 4
    /// Links to one loopback address.
    package var linksPerLoopbackAddress = 16
    /// Dials under way at once.
    package var maximumDialCount = 24
    /// Handshakes answered whose initiator has not proved itself by a first packet.
    package var maximumAnswerCount = 64
    /// Sources whose rate of handshakes is remembered.
    package var maximumSourceCount = 256

    /// Units: handshakes a second that cost this node a key agreement.
    package var initiationsPerSecond = 20
    /// Units: handshakes a second above which a cookie is asked for.
    package var initiationsPerSecondWithoutCookie = 10
    /// Units: handshakes a second of one source address (of one endpoint on loopback).
    package var initiationsPerSecondOfSource = 2
    /// How long a cookie secret is used; its successor's time long it is still accepted.
    package var cookieLifetime = Duration.seconds(60)

    /// When the first INIT is sent again; the following ones at twice the time each.
    package var dialResendDelay = Duration.milliseconds(20)
    /// When a dial gives up, and when an unconfirmed answer is forgotten.
    package var dialTimeout = Duration.seconds(3)
    /// How long a link may be without a packet of its peer before another dial of that peer cannot have crossed it.
    package var crossingWindow = Duration.seconds(4)

    /// How long an endpoint is banned that a node has misbehaved from; doubles with each time.
    package var ban = Duration.seconds(60)
    /// The longest ban, and how long after its end a ban is remembered.
    package var maximumBan = Duration.seconds(3600)
    /// Endpoints remembered as banned.
    package var maximumBanCount = 256

    /// The round trip assumed before the first sample.
    package var initialRoundTrip = Duration.milliseconds(30)
    /// Units: packets after which an acknowledgement is sent at once.
    package var acknowledgementPacketCount = 4
    /// How long an acknowledgement may wait.
    package var acknowledgementDelay = Duration.milliseconds(2)
    /// The longest time between two probes of an unanswered packet, unless the round trip itself is longer.
    package var maximumProbeInterval = Duration.milliseconds(200)

    /// How long nothing may come before a ping with status asks whether the peer is still there: longer than the
    /// component's root takes to raise its counter, so that a link that carries word of that needs no ping.
    package var idleInterval = Duration.seconds(12)
    /// The part of the idle interval that is random, both ways.
    package var idleJitter = 0.2
    /// Probe timeouts in a row that make a link suspect.
    package var suspectProbeCount = 4
    /// The least time that those take.
    package var suspectDelay = Duration.milliseconds(600)
    /// The silence that makes a link suspect.
    package var suspectSilence = Duration.seconds(15)
    /// Probe timeouts in a row that end a link.
    package var closeProbeCount = 8
    /// The least time that those take.
    package var closeDelay = Duration.milliseconds(1200)
    /// The silence that ends a link.
    package var closeSilence = Duration.seconds(30)

    /// Units: bytes of messages not acknowledged yet that lanes 0 to 3 hold; lane 3 more if the path does.
    package var laneCapacities = [256 << 10, 1 << 20, 1 << 20, 256 << 10]
    /// Units: messages in reassembly on one link.
    package var reassemblyMessageLimit = 1024
    /// Units: bytes in reassembly on one link.
    package var reassemblyByteLimit = 1 << 20
    /// Units: bytes in reassembly on all links.
    package var reassemblyTotalByteLimit = 16 << 20
    /// Units: live datagrams that wait on one link.
    package var liveDatagramLimit = 64
    /// How long a live datagram may wait.
    package var liveDatagramLife = Duration.milliseconds(150)
    /// Units: packets sealed before the next key phase.
    package var rekeyPacketCount: UInt64 = 1 << 24
    /// The longest time in one key phase.
    package var rekeyInterval = Duration.seconds(3600)
    /// Units: authenticated but senseless packets a minute that end a link.
    package var malformedPacketLimit = 32

    /// The defaults of PROTOCOL §12.
    package init() {}
}

/// The sizes every implementation must agree on.
///
/// Units: bytes unless said otherwise. Source: PROTOCOL §3, §12.
package enum LinkProtocol {
    /// The version in an INIT.
    package static let version: UInt8 = 1
    /// The largest datagram.
    package static let maximumDatagramByteCount = 1232
    /// The smallest INIT, so that no answer is larger than the question.
    package static let minimumInitiationByteCount = 400
    /// One message of the handshake.
    package static let handshakeMessageByteCount = 48
    /// What sealing adds.
    package static let tagByteCount = 16
    /// A cookie.
    package static let cookieByteCount = 16
    /// The largest message.
    package static let maximumMessageByteCount = 24 << 10
    /// The largest live datagram.
    package static let maximumLiveByteCount = 1100
    /// What the frame of a live datagram adds to it.
    package static let liveHeaderByteCount = 3
    /// The largest bitmap of an acknowledgement.
    package static let maximumBitmapByteCount = 128
    /// Units: packet numbers from the oldest in flight to the newest, as many as a bitmap reaches.
    package static let packetSpread: UInt64 = 1024
    /// Units: packet numbers that the receiver remembers.
    package static let replayWindowCount: UInt64 = 2048
    /// Units: message numbers of one lane that the receiver remembers.
    package static let messageWindowCount: UInt64 = 4096
    /// Units: message numbers of one lane under way at once, half of what the receiver remembers.
    package static let messageSpread = 2048
    /// Units: gaps in one message that a receiver keeps track of.
    package static let maximumGapCount = 64
}
