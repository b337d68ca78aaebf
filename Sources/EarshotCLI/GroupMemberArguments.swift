import ArgumentParser

/// Names a group and somebody in it.
struct GroupMemberArguments: ParsableArguments {
    @Argument(help: "The group's title, id or the beginning of it.")
    var group: String

    @Argument(help: "A name in the group, a peer id or the beginning of one.")
    var member: String
}
