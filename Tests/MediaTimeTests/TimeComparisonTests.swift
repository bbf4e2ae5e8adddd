import MediaTime
import Testing

@Suite struct TimeComparisonTests {
  @Test func equalTimesInOtherTermsAreEqual() {
    #expect(time(200, 2) == time(400, 4))
    #expect(time(200, 2).compare(time(400, 4)) == 0)
    #expect(time(200, 2).hashValue == time(400, 4).hashValue)
    #expect(time(0, 1) == time(0, 600))
    #expect(time(0, 1).hashValue == time(0, 600).hashValue)
    #expect(time(1, 3) == time(1, 3, rounded: true))
    #expect(time(1, 3).hashValue == time(1, 3, rounded: true).hashValue)
    #expect(Set([time(1, 2), time(2, 4), time(300, 600), time(1, 3)]).count == 2)
  }

  @Test func theOrderIsTotal() {
    let ascending: [Time] = [
      .negativeInfinity, time(.min, 1), time(-1, 3), .zero, time(1, .max), time(333, 1000),
      time(1, 3), time(334, 1000), time(.max, 2), time(.max, 1), .indefinite, .positiveInfinity,
      .invalid,
    ]
    for (i, left) in ascending.enumerated() {
      for (j, right) in ascending.enumerated() {
        #expect(left.compare(right) == (i - j).signum())
        #expect((left < right) == (i < j))
        #expect((left == right) == (i == j))
        #expect(Time.minimum(left, right).fields == ascending[min(i, j)].fields)
        #expect(Time.maximum(left, right).fields == ascending[max(i, j)].fields)
      }
    }
  }

  @Test func epochsAreComparedFirst() {
    #expect(time(100, 1, epoch: 1) < time(1, 1, epoch: 2))
    #expect(time(.max, 1, epoch: -1) < time(.min, 1))
    #expect(time(1, 1, epoch: 1) != time(1, 1))
    #expect(time(1, 1, epoch: .max) < .indefinite)
    #expect(Time.negativeInfinity < time(1, 1, epoch: .min))
  }

  @Test func differencesBeyondADoubleCount() {
    // These two are the same double.
    #expect(time(.max, .max) < time(.max, .max - 1))
    #expect(time(.max - 1, 3) < time(.max, 3))
    #expect(time(.max - 1, 3).seconds == time(.max, 3).seconds)
  }

  @Test func minimumAndMaximumPreferTheFirst() {
    #expect(Time.minimum(time(1, 2), time(2, 4)).fields == time(1, 2).fields)
    #expect(Time.maximum(time(1, 2), time(2, 4)).fields == time(1, 2).fields)
  }
}
