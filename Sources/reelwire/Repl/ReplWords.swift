/// The words of a line, parted by spaces as a shell does, but that JSON may be written without quotes.
///
/// `'…'` and `"…"` retain spaces and are removed, `\` retains the next character. After `:=`, and where a
/// word begins with `{` or `[`, the text is JSON up to the end of its brackets and strings.
struct ReplWords {
  /// The words that are complete or may be so.
  private(set) var words: [String] = []
  /// The start of the last word, in characters; at the end when there is none yet.
  private(set) var lastStart = 0
  /// True if a quote or a bracket was opened and not closed.
  private(set) var isOpen = false

  init(_ line: String) {
    let characters = Array(line)
    var place = 0
    while place < characters.count {
      if characters[place].isWhitespace {
        place += 1
        lastStart = place
      } else {
        words.append(word(characters, &place))
      }
    }
  }

  private mutating func word(_ characters: [Character], _ place: inout Int) -> String {
    var word = ""
    var wasQuoted = false
    while place < characters.count, !characters[place].isWhitespace {
      let character = characters[place]
      let beginsValue =
        word.isEmpty || word.hasSuffix(":=") && word.firstIndex(of: "=") == word.indices.last
      if beginsValue, !wasQuoted, "{[\"".contains(character), character != "\"" || !word.isEmpty {
        word += json(characters, &place)
      } else if character == "'" || character == "\"" {
        wasQuoted = true
        word += quoted(characters, &place)
      } else if character == "\\", place + 1 < characters.count {
        word.append(characters[place + 1])
        place += 2
      } else {
        word.append(character)
        place += 1
      }
    }
    return word
  }

  private mutating func quoted(_ characters: [Character], _ place: inout Int) -> String {
    let quote = characters[place]
    var text = ""
    place += 1
    while place < characters.count, characters[place] != quote {
      // As in a shell, only these are kept by a backslash between double quotes.
      if quote == "\"", characters[place] == "\\", place + 1 < characters.count,
        "\"\\$`".contains(characters[place + 1])
      {
        place += 1
      }
      text.append(characters[place])
      place += 1
    }
    isOpen = place >= characters.count
    place += 1
    return text
  }

  private mutating func json(_ characters: [Character], _ place: inout Int) -> String {
    var text = ""
    var depth = 0
    var isString = false
    while place < characters.count {
      let character = characters[place]
      text.append(character)
      place += 1
      if isString {
        if character == "\\", place < characters.count {
          text.append(characters[place])
          place += 1
        } else if character == "\"" {
          isString = false
        }
      } else if character == "\"" {
        isString = true
      } else if "{[".contains(character) {
        depth += 1
      } else if "}]".contains(character) {
        depth -= 1
      }
      if depth <= 0, !isString { return text }
    }
    isOpen = true
    return text
  }
}
