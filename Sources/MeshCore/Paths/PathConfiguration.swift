/// The limits and intervals of paths.
///
/// Source: PROTOCOL §5.1, §12 constants.
package struct PathConfiguration: Sendable, Equatable {
    /// The largest number of labels.
    package var labelLimit = 16_384
    /// The largest number of labels with a path over one link.
    package var labelsPerLink = 1_024
    /// The lifetime of a label that nothing was sent to.
    package var unusedLife: Duration = .seconds(60)
    /// The lifetime of a label after a payload last went to it.
    package var usedLife: Duration = .seconds(600)
    /// The size that may wait for one label.
    ///
    /// Units: bytes.
    package var queueByteLimit = 65_536
    /// The size that may wait for all labels together.
    ///
    /// Units: bytes.
    package var queuedByteLimit = 4_194_304
    /// The rate of payloads from one link that go ahead of all bulk.
    ///
    /// Units: payloads per second.
    package var controlRate = 200
    /// The largest number of such payloads at once.
    package var controlBurst = 400

    /// The rate of live payloads from one link.
    ///
    /// Units: payloads per second.
    package var liveRate = 400
    /// The largest number of live payloads at once.
    package var liveBurst = 200

    /// Creates the defaults of the protocol.
    package init() {}
}
