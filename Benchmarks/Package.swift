// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot-benchmarks",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "mesh-bench", targets: ["MeshBench"])
    ],
    dependencies: [
        .package(name: "earshot", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "MeshBench",
            dependencies: [
                .product(name: "ChatHistory", package: "earshot"),
                .product(name: "Earshot", package: "earshot"),
                .product(name: "MeshSimulation", package: "earshot"),
                .product(name: "MeshTransport", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        )
    ]
)

// Warnings are errors where Earshot's own are, see its manifest.
if Context.environment["EARSHOT_STRICT"] != nil {
    for target in package.targets { target.swiftSettings?.insert(.treatAllWarnings(as: .error), at: 0) }
}
