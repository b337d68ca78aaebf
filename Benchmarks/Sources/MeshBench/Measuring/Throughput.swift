/// The throughput of messages of one size, each confirmed by every receiver.
struct Throughput: Codable, Sendable {
    /// Units: bytes of content in one message.
    let byteCount: Int
    /// The number of confirmed messages.
    let count: Int
    /// The time from the first submission to the last confirmation.
    let seconds: Double
    /// Units: messages a second.
    let perSecond: Double
    /// Units: millions of bytes of content a second.
    let megabytesPerSecond: Double
    /// The number of messages that the bench had to submit again, because they were missing after later ones had
    /// arrived.
    let resubmitted: Int
    /// The processor time of the sending process in that time.
    let senderCPUSeconds: Double

    init(byteCount: Int, count: Int, time: Duration, resubmitted: Int, senderCPUSeconds: Double) {
        self.byteCount = byteCount
        self.count = count
        seconds = time.seconds
        perSecond = seconds > 0 ? (Double(count) / seconds).rounded() : 0
        megabytesPerSecond = seconds > 0 ? Double(count * byteCount) / seconds / 1e6 : 0
        self.resubmitted = resubmitted
        self.senderCPUSeconds = senderCPUSeconds
    }
}
