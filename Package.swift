// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ChatHistory", targets: ["ChatHistory"]),
        .library(name: "ChatHistoryTesting", targets: ["ChatHistoryTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0")
    ],
    targets: [
        .target(
            name: "ChatHistory",
            dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        .target(name: "ChatHistoryTesting", dependencies: ["ChatHistory"], swiftSettings: strict),
        .testTarget(
            name: "ChatHistoryTests",
            dependencies: ["ChatHistory", "ChatHistoryTesting"],
            swiftSettings: strict
        ),
    ]
)
