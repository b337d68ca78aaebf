import ArgumentParser

/// The options that every command takes, before its name or after it.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The data directory, with the identity and its history.")
    var home: String?

    @Flag(help: "Print JSON, one value or one per line, and nothing else on standard output.")
    var json = false

    @Flag(help: "Print results and errors only.")
    var quiet = false

    @Option(help: "The file whose first line is the passphrase; else EARSHOT_PASSPHRASE, else asked.")
    var passphraseFile: String?
}
