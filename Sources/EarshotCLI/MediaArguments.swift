import ArgumentParser
import Earshot

/// The option for the storage limit of files.
struct MediaArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How much the files of messages may take, as 500M or 4G. Default: 16G. More waits until some go.",
            valueName: "SIZE"
        )
    )
    var mediaLimit: ByteCountArgument?

    /// Applies the given values to the settings.
    func apply(to settings: inout ChatConfiguration) {
        if let mediaLimit { settings.mediaByteLimit = mediaLimit.byteCount }
    }
}
