/// The limits and intervals of links and handshakes.
///
/// Source: PROTOCOL §3, §12.
package struct LinkConfiguration: Sendable {
    /// The largest number of links dialled by others, at the start; a relay accepts 32.
    package var acceptLimit = 16
    /// The largest number of links, whichever side dialled.
    package var maximumLinkCount = 40
    /// The largest number of links to one address of another host.
    package var linksPerAddress = 4
    /// The largest number of links to one loopback address.
    package var linksPerLoopbackAddress = 16
    /// The shortest time between two links that are closed to make room.
    package var roomInterval = Duration.seconds(5)
    /// The age from which a link may be closed to make room.
    package var youngestExpendable = Duration.seconds(30)
    /// The number of oldest accepted links, and of most useful ones, that are not closed to make room.
    package var keptLinkCount = 3
    /// The largest number of links that stay because messages of ways and paths come over them.
    package var usedLinkCount = 4
    /// The time for which such a message marks a link as used.
    package var useLife = Duration.seconds(60)
    /// The time after which an envelope that came first by a link counts half.
    package var firstDeliveryHalfLife = Duration.seconds(600)
    /// The time for which the peer of an ended link is remembered, for which no room is made.
    package var formerPeerLife = Duration.seconds(600)
    /// The largest number of remembered peers of ended links.
    package var formerPeerLimit = 256
    /// The largest number of simultaneous dials.
    package var maximumDialCount = 24
    /// The largest number of half-open answers: handshakes that were answered, and whose message 3 has not come.
    package var maximumAnswerCount = 64
    /// The largest number of sources whose handshake rate is known.
    package var maximumSourceCount = 256

    /// The rate of handshakes that cost this node a key agreement.
    ///
    /// Units: handshakes per second.
    package var initiationsPerSecond = 20
    /// The rate of messages 2 and 3 of handshakes that are read, each of which may cost a few key agreements.
    ///
    /// Units: messages per second.
    package var answersReadPerSecond = 200
    /// The rate of handshakes above which a cookie is requested.
    ///
    /// Units: handshakes per second.
    package var initiationsPerSecondWithoutCookie = 10
    /// The rate of handshakes from one source address (from one endpoint on loopback).
    ///
    /// Units: handshakes per second.
    package var initiationsPerSecondOfSource = 2
    /// The time for which a cookie secret is used.
    ///
    /// It is still accepted during the lifetime of its successor.
    package var cookieLifetime = Duration.seconds(60)

    /// The delay before the first INIT is sent again.
    ///
    /// Each following delay is twice as long.
    package var dialResendDelay = Duration.milliseconds(20)
    /// The longest time to the first repetition of an INIT, after dials that were answered late.
    package var longestDialResendDelay = Duration.milliseconds(640)
    /// The time after which a dial fails, and after which an unconfirmed answer is discarded.
    package var dialTimeout = Duration.seconds(3)
    /// The time for which a link may be without a packet of its peer before another dial of that peer cannot have
    /// crossed it.
    package var crossingWindow = Duration.seconds(4)

    /// The number of RETRYs of one dial that make its INIT go again at once.
    package var retriesPerDial = 3
    /// The rate of answered path challenges of one link.
    ///
    /// Units: challenges per second.
    package var pathResponsesPerSecond = 2

    /// The assumed round trip before the first sample.
    package var initialRoundTrip = Duration.milliseconds(30)
    /// The assumed round trip of a stream, and the delay before its INIT is sent again.
    ///
    /// Streams may be slow lines, which repetitions would fill. What a stream takes it does not lose.
    package var streamRoundTrip = Duration.seconds(1)
    /// The largest number of links of one stream: that of its other end, and one from before that end was restarted.
    package var linksPerStream = 2
    /// The shortest times that the timeouts take which make a link over a stream suspect, and which end it.
    package var streamSuspectDelay = Duration.seconds(10)
    package var streamCloseDelay = Duration.seconds(20)
    /// The number of packets after which an acknowledgement is sent at once.
    package var acknowledgementPacketCount = 4
    /// The longest delay of an acknowledgement.
    package var acknowledgementDelay = Duration.milliseconds(2)
    /// The time for which every acknowledgement waits for something that goes to the peer too, for each unit by which the
    /// crowd factor is above one.
    ///
    /// A frame tells how long it waited, up to 65 ms. A peer that sees no crowd waits a little longer than this.
    package var crowdAcknowledgementDelay = Duration.milliseconds(6)
    /// The longest time between two probes of an unanswered packet, unless the round trip itself is longer.
    package var maximumProbeInterval = Duration.milliseconds(200)

    /// The time from a change of the store to its status.
    package var statusDelay = Duration.seconds(1)
    /// The shortest time between two statuses.
    package var statusInterval = Duration.seconds(2)
    /// The shortest time between two statuses while the store changes more than once in `statusDelay`.
    package var busyStatusInterval = Duration.seconds(5)
    /// The rate of statuses that are read on one link.
    ///
    /// Units: statuses per second.
    package var statusesPerSecond = 1
    /// The time without any packet after which a ping checks whether the peer is still there; it grows with the crowd.
    package var idleInterval = Duration.seconds(12)
    /// The random part of the idle interval, in both directions.
    package var idleJitter = 0.2
    /// The number of consecutive probe timeouts that make a link suspect.
    package var suspectProbeCount = 4
    /// The shortest time that these timeouts take.
    package var suspectDelay = Duration.milliseconds(600)
    /// The silence that makes a link suspect; it grows with the crowd.
    package var suspectSilence = Duration.seconds(15)
    /// The number of consecutive probe timeouts that end a link.
    package var closeProbeCount = 8
    /// The shortest time that these timeouts take.
    package var closeDelay = Duration.milliseconds(1200)
    /// The silence that ends a link; it grows with the crowd.
    package var closeSilence = Duration.seconds(30)

    /// The capacities of lanes 0 to 3 for messages that are not acknowledged yet; lane 3 holds more if the path does.
    ///
    /// Units: bytes.
    package var laneCapacities = [256 << 10, 1 << 20, 1 << 20, 256 << 10]
    /// The largest number of messages in reassembly on one link.
    package var reassemblyMessageLimit = 1024
    /// The largest size of the messages in reassembly on one link.
    ///
    /// Units: bytes.
    package var reassemblyByteLimit = 1 << 20
    /// The largest size of the messages in reassembly on all links.
    ///
    /// Units: bytes.
    package var reassemblyTotalByteLimit = 16 << 20
    /// The largest number of live datagrams that wait on one link.
    package var liveDatagramLimit = 64
    /// The longest time that a live datagram may wait.
    package var liveDatagramLife = Duration.milliseconds(150)
    /// The number of packets sealed before the next key phase.
    package var rekeyPacketCount: UInt64 = 1 << 24
    /// The longest time in one key phase.
    package var rekeyInterval = Duration.seconds(3600)
    /// The rate of authenticated but malformed packets that ends a link.
    ///
    /// Units: packets per minute.
    package var malformedPacketLimit = 32

    /// Creates the defaults of PROTOCOL §12.
    package init() {}

    /// Returns the configuration of a link on an interface.
    func configuration(on interface: InterfaceID) -> LinkConfiguration {
        guard interface.streamNumber != nil else { return self }
        var stream = self
        stream.initialRoundTrip = streamRoundTrip
        stream.suspectDelay = streamSuspectDelay
        stream.closeDelay = streamCloseDelay
        return stream
    }
}

/// The sizes that every implementation must agree on.
///
/// Units: bytes unless stated otherwise. Source: PROTOCOL §3, §12.
package enum LinkProtocol {
    /// The version in an INIT.
    package static let version: UInt8 = 2
    /// The largest datagram.
    package static let maximumDatagramByteCount = 1232
    /// The smallest INIT, so that no answer is larger than its INIT.
    package static let minimumInitiationByteCount = 400
    /// The size of message 1 of the handshake.
    package static let firstMessageByteCount = 48
    /// The size of message 2 of the handshake.
    package static let secondMessageByteCount = 96
    /// The size of message 3 of the handshake.
    package static let thirdMessageByteCount = 64
    /// The smallest datagram whose path challenge is answered to another endpoint than the link's.
    package static let challengeByteCount = 1000
    /// The distances between two packet numbers that a sender skips.
    package static let skipDistance: ClosedRange<UInt64> = 64...128
    /// The size that sealing adds.
    package static let tagByteCount = 16
    /// The size of a cookie.
    package static let cookieByteCount = 16
    /// The largest message.
    package static let maximumMessageByteCount = 24 << 10
    /// The largest live datagram.
    package static let maximumLiveByteCount = 1100
    /// The size that the frame of a live datagram adds to it.
    package static let liveHeaderByteCount = 3
    /// The largest bitmap of an acknowledgement.
    package static let maximumBitmapByteCount = 128
    /// The span from the oldest packet number in flight to the newest, which a bitmap can cover.
    package static let packetSpread: UInt64 = 1024
    /// The number of packet numbers that the receiver remembers.
    package static let replayWindowCount: UInt64 = 2048
    /// The number of message numbers of one lane that the receiver remembers.
    package static let messageWindowCount: UInt64 = 4096
    /// The number of message numbers of one lane in transit at once, half of what the receiver remembers.
    package static let messageSpread = 2048
    /// The largest number of gaps in one message that a receiver tracks.
    package static let maximumGapCount = 64
}
