import MeshCore
import Testing

@testable import MeshCore

@Suite("First deliveries")
struct FirstDeliveriesTests {
    @Test("Eight count at most, and the number halves at each end of a half-life")
    func bounds() {
        let halfLife = Duration.seconds(600)
        func time(_ seconds: Int64) -> MeshInstant { .zero.advanced(by: .seconds(seconds)) }
        var deliveries = FirstDeliveries(now: .zero)
        for _ in 0..<100 { deliveries.add(halfLife: halfLife, now: time(1)) }
        let values = [1, 599, 600, 1_200, 2_400].map { deliveries.value(halfLife: halfLife, now: time($0)) }
        #expect(values == [8, 8, 4, 2, 0])
        deliveries.add(halfLife: halfLife, now: time(1_201))
        #expect(deliveries.value(halfLife: halfLife, now: time(1_201)) == 3)
    }
}
