import ArgumentParser
import Earshot

/// How much a node keeps of files.
struct MediaArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How much the files of messages may take, as 500M or 4G. Default: 16G. More waits until some go.",
            valueName: "SIZE"
        )
    )
    var mediaLimit: ByteCountArgument?

    /// Sets what was given.
    func apply(to settings: inout ChatConfiguration) {
        if let mediaLimit { settings.mediaByteLimit = mediaLimit.byteCount }
    }
}
