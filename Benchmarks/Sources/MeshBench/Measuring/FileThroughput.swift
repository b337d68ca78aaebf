/// The transfer of one large file, from its sender's disk to its receiver's.
struct FileThroughput: Codable, Sendable {
    /// Units: bytes.
    let byteCount: Int
    /// The time until the sender had sealed the file and its message was in the outbox.
    let sealingSeconds: Double
    /// The time from then on until the sender had the receipt, which leaves when the receiver has all of the file on
    /// disk.
    let seconds: Double
    /// Units: millions of bytes a second, by `seconds`.
    let megabytesPerSecond: Double
    /// The processor time of the sending process, sealing included.
    let senderCPUSeconds: Double

    init(byteCount: Int, sealing: Duration, time: Duration, senderCPUSeconds: Double) {
        self.byteCount = byteCount
        sealingSeconds = sealing.seconds
        seconds = time.seconds
        megabytesPerSecond = seconds > 0 ? Double(byteCount) / seconds / 1e6 : 0
        self.senderCPUSeconds = senderCPUSeconds
    }
}
