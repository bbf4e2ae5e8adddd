import MediaTime
import Testing

@testable import MediaEngine

/// Batches of changes against a naive model, which has lists of names and no more.
struct CaptureConfigurationTests {
  /// The same numbers each time (Knuth's MMIX).
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  /// The configuration as a person would write it down.
  private struct Model: Equatable {
    var inputs: [Int: (device: Int, media: [MediaType])] = [:]
    var outputs: [Int: CaptureConfiguration.OutputType] = [:]
    var connections: [String] = []
    var last = (input: 0, output: 0)

    static func == (one: Model, other: Model) -> Bool {
      one.inputs.keys.sorted() == other.inputs.keys.sorted() && one.outputs == other.outputs
        && Set(one.connections) == Set(other.connections)
    }

    static func name(_ input: Int, _ output: Int, _ media: MediaType) -> String {
      "\(input) \(media.rawValue) \(output)"
    }

    func isTaken(_ output: Int) -> Bool {
      outputs[output] != .movieFile && connections.contains { $0.hasSuffix(" \(output)") }
    }

    mutating func connectAll(_ input: Int, _ output: Int) {
      for media in inputs[input]?.media ?? [] {
        let takes =
          switch outputs[output] {
          case .movieFile?: true
          case .audioFile?, .audioData?: media == .audio
          case .videoData?, .photo?, .preview?: media == .video
          case nil: false
          }
        if takes, !isTaken(output) { connections.append(Self.name(input, output, media)) }
      }
    }
  }

  private func device(_ number: Int, hasAudio: Bool) throws -> (
    CaptureDevice, CaptureConfiguration.InputSettings
  ) {
    var settings = CaptureConfiguration.InputSettings()
    settings.synthetic.hasAudio = hasAudio
    return (
      try #require(SyntheticDevice.device("synthetic:\(number)", settings.synthetic)), settings
    )
  }

  /// Makes a random change to both; false where the model can't.
  private func change(
    _ model: inout Model, _ dice: inout Dice
  ) throws -> (change: CaptureChange, isPossible: Bool) {
    switch Int.random(in: 0..<10, using: &dice) {
    case 0, 1, 2:
      let number = Int.random(in: 1...9, using: &dice)
      let connects = Bool.random(using: &dice)
      let (device, settings) = try device(number, hasAudio: number % 3 != 0)
      let isFree = !model.inputs.values.contains { $0.device == number }
      guard isFree, model.inputs.count < 8 else {
        return (.addInput(device, settings, connects: connects), false)
      }
      model.last.input += 1
      let own = model.last.input
      model.inputs[own] = (number, device.mediaTypes)
      if connects {
        for output in model.outputs.keys.sorted() { model.connectAll(own, output) }
      }
      return (.addInput(device, settings, connects: connects), true)
    case 3, 4, 5:
      let type = CaptureConfiguration.OutputType.allCases.randomElement(using: &dice) ?? .photo
      let connects = Bool.random(using: &dice)
      guard model.outputs.count < 16 else {
        return (.addOutput(type, .init(), connects: connects), false)
      }
      model.last.output += 1
      let own = model.last.output
      model.outputs[own] = type
      if connects { for input in model.inputs.keys.sorted() { model.connectAll(input, own) } }
      return (.addOutput(type, .init(), connects: connects), true)
    case 6:
      let number = Int.random(in: 1...max(1, model.last.input + 1), using: &dice)
      let isThere = model.inputs.removeValue(forKey: number) != nil
      model.connections.removeAll { $0.hasPrefix("\(number) ") }
      return (.removeInput(number), isThere)
    case 7:
      let number = Int.random(in: 1...max(1, model.last.output + 1), using: &dice)
      let isThere = model.outputs.removeValue(forKey: number) != nil
      model.connections.removeAll { $0.hasSuffix(" \(number)") }
      return (.removeOutput(number), isThere)
    default:
      let input = Int.random(in: 1...max(1, model.last.input), using: &dice)
      let output = Int.random(in: 1...max(1, model.last.output), using: &dice)
      let media: MediaType = Bool.random(using: &dice) ? .video : .audio
      let ends = CaptureConfiguration.ConnectionEnds(
        input: input, output: output, mediaType: media)
      let name = Model.name(input, output, media)
      if let index = model.connections.firstIndex(of: name), Bool.random(using: &dice) {
        model.connections.remove(at: index)
        return (.disconnect(ends), true)
      }
      let type = model.outputs[output]
      let isPossible =
        model.inputs[input]?.media.contains(media) == true && type?.takes(media) == true
        && !model.isTaken(output) && !model.connections.contains(name)
      if isPossible { model.connections.append(name) }
      return (.connect(ends), isPossible)
    }
  }

  private func model(of configuration: CaptureConfiguration) -> Model {
    var model = Model()
    for input in configuration.inputs { model.inputs[input.number] = (0, []) }
    for output in configuration.outputs { model.outputs[output.number] = output.type }
    model.connections = configuration.connections.map {
      Model.name($0.ends.input, $0.ends.output, $0.ends.mediaType)
    }
    return model
  }

  @Test func batchesAreAsOnPaper() throws {
    var dice = Dice(state: 1)
    for _ in 0..<200 {
      var configuration = CaptureConfiguration()
      var paper = Model()
      for _ in 0..<40 {
        // A batch that fails changes nothing, not even by the changes before the failure.
        var (planned, plannedPaper) = (configuration, paper)
        var fails = false
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          let (change, isPossible) = try change(&plannedPaper, &dice)
          var hasThrown = false
          do throws(EngineError) { try planned.apply(change) } catch { hasThrown = true }
          #expect(hasThrown == !isPossible, "\(change)")
          fails = fails || hasThrown
          if fails { break }
        }
        if !fails { (configuration, paper) = (planned, plannedPaper) }
        #expect(model(of: configuration) == paper)
      }
    }
  }
}
