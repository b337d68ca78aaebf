/// The limits and intervals of paths.
///
/// Source: PROTOCOL §5.1, §12 constants.
package struct PathConfiguration: Sendable, Equatable {
    /// How many labels are remembered.
    package var labelLimit = 4_096
    /// How many labels whose way leads over one link are remembered.
    package var labelsPerLink = 256
    /// How long a label that a probe brought is remembered.
    package var probedLife: Duration = .seconds(20)
    /// How long a label is remembered after a payload last went to it.
    package var usedLife: Duration = .seconds(60)
    /// Units: bytes that wait for one label.
    package var queueByteLimit = 65_536
    /// Units: bytes that wait for all labels together.
    package var queuedByteLimit = 4_194_304
    /// Units: payloads per second of one link that go ahead of all bulk.
    package var controlRate = 200
    /// The number of such payloads at once.
    package var controlBurst = 400

    /// Units: live payloads per second of one link.
    package var liveRate = 400
    /// The number of live payloads at once.
    package var liveBurst = 200

    /// The defaults of the protocol.
    package init() {}
}
