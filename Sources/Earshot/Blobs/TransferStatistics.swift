import MeshTransport
import Synchronization

/// The counts of transfers of large blobs.
///
/// The node's actor counts; the mesh's monitoring reads from its own thread.
final class TransferStatistics: Sendable {
    /// The counts since the node was made, and some of the moment.
    struct Counts: Sendable {
        /// Units: bytes.
        var sentByteCount = 0
        /// Units: bytes.
        var receivedByteCount = 0
        var retries = 0
        /// The number at the moment.
        var running = 0
        /// The number at the moment.
        var waiting = 0
        var finished = 0
        var failed = 0
        var givenUp = 0
    }

    private let counts = Mutex(Counts())

    /// Changes the counts.
    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }

    /// The counts in the form that monitoring programs take.
    var metrics: [Metric] {
        let counts = counts.withLock { $0 }
        return [
            Metric(
                "mesh_bulk_bytes_total",
                .counter,
                "Bytes of large attachments, sent and received on paths.",
                by: "way",
                Self.samples([("sent", counts.sentByteCount), ("received", counts.receivedByteCount)])
            ),
            Metric(
                "mesh_bulk_retries_total",
                .counter,
                "Parts of large attachments that were requested again, being late or false.",
                Double(counts.retries)
            ),
            Metric(
                "mesh_bulk_fetches",
                .gauge,
                "Large attachments that are not complete yet.",
                by: "state",
                Self.samples([("running", counts.running), ("waiting", counts.waiting)])
            ),
            Metric(
                "mesh_bulk_fetches_ended_total",
                .counter,
                "Results of fetches of large attachments. Fetches that the disk refused are repeated.",
                by: "result",
                Self.samples([
                    ("finished", counts.finished), ("failed", counts.failed), ("givenUp", counts.givenUp),
                ])
            ),
        ]
    }

    private static func samples(_ values: [(String, Int)]) -> [Metric.Sample] {
        values.map { .init($0.0, Double($0.1)) }
    }
}
