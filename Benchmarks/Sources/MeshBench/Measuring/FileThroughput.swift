/// One large file, from its sender's disk to its receiver's.
struct FileThroughput: Codable, Sendable {
    /// Units: bytes.
    let byteCount: Int
    /// Until the sender had sealed it and its message was in the outbox.
    let sealingSeconds: Double
    /// From then on until the sender had the receipt, which leaves when the receiver has all of it on disk.
    let seconds: Double
    /// Units: millions of bytes a second, by `seconds`.
    let megabytesPerSecond: Double
    /// What the sending process used of the processor, sealing included.
    let senderCPUSeconds: Double

    init(byteCount: Int, sealing: Duration, time: Duration, senderCPUSeconds: Double) {
        self.byteCount = byteCount
        sealingSeconds = sealing.seconds
        seconds = time.seconds
        megabytesPerSecond = seconds > 0 ? Double(byteCount) / seconds / 1e6 : 0
        self.senderCPUSeconds = senderCPUSeconds
    }
}
