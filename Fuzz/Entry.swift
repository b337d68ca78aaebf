#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The target that the environment names.
private let chosen: Target = {
    guard let name = getenv("FUZZ_TARGET"), let target = targets[String(cString: name)] else {
        preconditionFailure("FUZZ_TARGET names none of \(targets.keys.sorted())")
    }
    return target
}()

/// Runs the target; libFuzzer calls this function with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
