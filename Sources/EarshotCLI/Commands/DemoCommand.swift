import ArgumentParser

/// Runs the demo of the whole system.
struct DemoCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Watch three nodes on this machine find each other, talk and verify.",
        discussion: """
            Runs three nodes with data directories in a temporary directory, on the loopback interface only: nothing \
            leaves the machine. The status is other than 0 if a step fails. On a terminal you may then talk to Bob, \
            who echoes.
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        let output = DemoOutput(console)
        let stage = try DemoStage()
        let stopSignal = StopSignal()
        let running = Task { try await DemoStory(stage, output, console).run() }
        let leaving = Task {
            await stopSignal.wait()
            guard !Task.isCancelled else { return }
            // A step that waits for a node fails once the nodes are stopped, one that waits for the keyboard when it is
            // cancelled.
            await stage.close()
            running.cancel()
        }
        let outcome = await running.result
        leaving.cancel()
        await leaving.value
        await stage.close()
        stage.removeHomes()
        try outcome.get()
    }
}
