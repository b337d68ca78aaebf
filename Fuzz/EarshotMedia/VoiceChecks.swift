#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks that a voice note is within bounds, describes itself truly, and is clean: a second cleaning does not change
/// it.
func checkVoice(_ bytes: [UInt8]) {
    guard let note = try? VoiceNote(cleaning: bytes) else { return }
    let claim = note.claim
    let isBounded = try? VoiceClaim(
        durationMilliseconds: claim.durationMilliseconds,
        peaks: claim.peaks,
        byteCount: claim.byteCount
    )
    precondition(isBounded == claim)
    precondition((try? claim.check(note.bytes)) != nil)
    precondition((try? VoiceNote(cleaning: note.bytes))?.bytes == note.bytes)
}

/// The header of a mono stream.
let opusHead: [UInt8] = Array("OpusHead".utf8) + [1, 1, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]

/// Packets of every kind of framing: one frame, two, two of different lengths, many, padded.
let packets: [[UInt8]] = [
    [0x18], [0xF8, 1, 2, 3], [0xF9, 1, 2, 3, 4], [0xFA, 1, 9, 8, 7], [0xFB, 0x02, 1, 2, 3, 4],
    [0xFB, 0x41, 2, 5, 6, 0, 0], [0x0B, 0x83, 1, 2, 7, 7, 7, 7],
]
