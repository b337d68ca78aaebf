let mediaTargets: [String: Target] = [
    "gif": fuzzGIF,
    "jpeg": fuzzJPEG,
    "png": fuzzPNG,
    "profile": fuzzProfile,
    "sixel": fuzzSixel,
    "voice-ogg": fuzzOgg,
    "voice-webm": fuzzWebM,
    "webp": fuzzWebP,
]

#if FUZZING
    let targets = mediaTargets
#endif
