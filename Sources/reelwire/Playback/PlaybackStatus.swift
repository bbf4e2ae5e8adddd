import EngineProtocol
import EngineReports
import MediaTime
import Terminal

/// The state of a player as a line for a person.
struct PlaybackStatus {
  /// The rate at which it plays when it does.
  var rate: Double
  /// The number of files.
  var count: Int
  var time = Time.zero
  /// The frame that was stepped to, and its time.
  var frame: (number: Int, time: Time)?
  /// Nil while it isn't known.
  var duration: Time?
  /// 0 while it is paused.
  var desiredRate = 0.0
  var control = WireTimeControlStatus.paused
  var isMuted = false
  var name: String?
  /// The place of the file, from 1.
  var number: Int?
  /// The reason for which a key had no effect.
  var note: String?

  init(rate: Double, count: Int) {
    (self.rate, self.count) = (rate, count)
  }

  /// True for a rate that has audio, with the algorithm of items that don't state one.
  static func isAudible(at rate: Double) -> Bool { rate > 0 && rate <= 2 }

  /// `0:01.240 / 0:05.000  playing  1x  clip.mp4 (1 of 2)`, in at most `columns` columns.
  func line(columns: Int) -> String {
    var words = [clock, state]
    words.append("\(Formatting.number(rate, places: 3))x")
    if let frame, frame.time == time { words.append("frame \(frame.number)") }
    if isMuted {
      words.append("muted")
    } else if !Self.isAudible(at: rate) {
      words.append("no audio")
    }
    if let note {
      words.append(note.printable)
    } else if let name {
      let place = count > 1 ? number.map { " (\($0) of \(count))" } ?? "" : ""
      words.append(Formatting.name(of: name).printable + place)
    }
    var (text, width) = ("", 0)
    for character in words.joined(separator: "  ") {
      width += character.displayWidth
      guard width <= columns else { break }
      text.append(character)
    }
    return text
  }

  /// The exact time where that has more than three places, as a frame's may have.
  private var clock: String {
    let position = Formatting.position(time)
    let isExact = time.exactDescription == time.secondsDescription
    let exact = isExact || control == .playing ? "" : " (\(time.exactDescription))"
    let total = duration.map { $0.isNumeric ? Formatting.position($0) : "?" } ?? "?"
    return "\(position)\(exact) / \(total)"
  }

  private var state: String {
    switch control {
    case .paused: "paused"
    case .playing: "playing"
    case .waitingToPlayAtSpecifiedRate: "waiting"
    }
  }
}
