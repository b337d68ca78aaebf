import ArgumentParser
import Earshot

/// The option for the storage limit of files.
struct MediaArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The space for attachments, such as 500M or 4G. Default: 16G. Further ones wait until there is room.",
            valueName: "SIZE"
        )
    )
    var mediaLimit: ByteCountArgument?

    /// Applies the given values to the settings.
    func apply(to settings: inout ChatConfiguration) {
        if let mediaLimit { settings.mediaByteLimit = mediaLimit.byteCount }
    }
}
