/// The limits of a voice note, for senders and for receivers.
public enum VoiceLimits {
    /// Units: milliseconds.
    public static let durationMilliseconds = 60_000
    /// Units: bytes of a clean note: a minute at the highest bit rate of Opus, and its pages.
    public static let byteCount = 4_194_304
    /// The number of values of a waveform.
    public static let peakCount = 64

    /// Units: bytes of a recording, before it is cut.
    static let recordingByteCount = 33_554_432
    /// Units: samples a second, the clock of Opus at every recording rate.
    static let sampleRate = 48_000
    /// Units: samples of a note.
    static let sampleCount = durationMilliseconds * sampleRate / 1_000
    /// Units: samples a decoder discards at the start; encoders ask for some hundred, the field holds 65,535.
    static let skipLimit = sampleRate
    /// The number of packets of a minute; the shortest have 2.5 ms.
    static let packetCount = (sampleCount + skipLimit) / 120
}
