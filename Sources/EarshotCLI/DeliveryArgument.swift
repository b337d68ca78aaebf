// The imports are public, because the setting becomes an argument below.
public import ArgumentParser
public import Earshot

/// The choice between posting and carrying direct messages.
struct DeliveryArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Post direct messages to everybody (private), carry them to their recipients (fast), or post them until the \
            mesh is busy (auto). Posts hide the recipient.
            """,
            valueName: "auto|private|fast"
        )
    )
    var delivery = DeliverySetting.auto
}

extension DeliverySetting: ExpressibleByArgument {}
