import LibAV

/// A frame of ID3v2: its name, its flags and its content (https://id3.org, versions 2.2, 2.3 and 2.4).
struct ID3Frame {
  /// The name in versions 2.3 and 2.4, also for a frame of 2.2.
  var name: String
  /// The content as it is stored.
  var content: ByteView
  /// True if the content can be read: it is neither compressed nor encrypted.
  var isPlain: Bool

  /// Returns the metadata of a frame.
  ///
  /// - Parameter parts: the day and the time of a year (2.3), by the names of their frames.
  func items(parts: [String: String] = [:]) -> [MetadataItem] {
    guard isPlain else { return [raw] }
    switch name {
    case "CHAP", "CTOC", "SEEK", "ASPI", "TDAT", "TIME": return []
    case "TXXX": return describedText
    case "COMM", "USLT": return languageText.map { [$0] } ?? [raw]
    case "APIC": return picture.map { [$0] } ?? [raw]
    case "PRIV": return [privateText]
    case "UFID":
      var item = raw
      item.extraAttributes["info"] = content.untilZero.latin1
      return [item]
    case "WXXX":
      guard let (encoding, rest) = encoded, let (name, url) = encoding.split(rest) else {
        return [raw]
      }
      return [item("WXXX", url.untilZero.tagText, info: encoding.decode(name))]
    default:
      if name.hasPrefix("W") { return [item(name, content.untilZero.tagText)] }
      guard name.hasPrefix("T"), let (encoding, rest) = encoded else { return [raw] }
      return texts(encoding.texts(rest), parts)
    }
  }

  private var raw: MetadataItem {
    MetadataItem(
      key: name, keySpace: "id3", commonKey: MetadataItem.commonKey(of: name, in: "id3"),
      value: content.rawValue)
  }

  private var encoded: (ID3Encoding, ByteView)? {
    content[0].flatMap(ID3Encoding.init).map { ($0, content.slice(from: 1)) }
  }

  private func item(
    _ key: String, _ text: String, info: String? = nil, language: String? = nil
  ) -> MetadataItem {
    MetadataItem(
      key: key, keySpace: "id3", commonKey: MetadataItem.commonKey(of: key, in: "id3"),
      extendedLanguageTag: language, value: .string(text),
      extraAttributes: info.flatMap { $0.isEmpty ? nil : ["info": $0] } ?? [:])
  }

  private func texts(_ texts: [String], _ parts: [String: String]) -> [MetadataItem] {
    switch name {
    case "TCON": texts.flatMap(ID3Frame.genres).map { item(name, $0) }
    case "TYER":
      texts.prefix(1).map { year in
        item("TDRC", ID3Frame.date(year: year, day: parts["TDAT"], time: parts["TIME"]))
      }
    default: texts.filter { !$0.isEmpty || texts.count == 1 }.map { item(name, $0) }
    }
  }

  /// A text with a user-defined name, under which libav writes many of its own.
  private var describedText: [MetadataItem] {
    guard let (encoding, rest) = encoded, let (name, value) = encoding.split(rest) else {
      return [raw]
    }
    let key = encoding.decode(name)
    return encoding.texts(value).map { text in
      key.isEmpty
        ? item("TXXX", text) : MetadataItem(Tag(key: key, value: text), keySpace: "id3")
    }
  }

  private var languageText: MetadataItem? {
    guard let (encoding, rest) = encoded, rest.count >= 3,
      let (name, text) = encoding.split(rest.slice(from: 3))
    else { return nil }
    let code = rest.slice(from: 0, count: 3).latin1.lowercased()
    let isLanguage = code.allSatisfy { $0.isASCII && $0.isLetter } && code != "xxx"
    return item(
      self.name, encoding.texts(text).joined(separator: "\n"), info: encoding.decode(name),
      language: isLanguage ? bcp47(ofISO639: code) : nil)
  }

  private var picture: MetadataItem? {
    guard let (encoding, rest) = encoded else { return nil }
    let type = rest.untilZero
    let afterType = rest.slice(from: type.count + 1)
    guard let kind = afterType[0], let (title, bytes) = encoding.split(afterType.slice(from: 1)),
      bytes.count > 0, type.latin1 != "-->"
    else { return nil }
    return MetadataItem(
      picture: bytes.bytes, mimeType: type.latin1, kind: Int(kind), title: encoding.decode(title),
      key: "APIC", keySpace: "id3")
  }

  /// The owner, and its bytes in libav's form (id3v2.c, `ff_id3v2_parse_priv_dict`).
  private var privateText: MetadataItem {
    let owner = content.untilZero
    let bytes = content.slice(from: owner.count + 1).bytes
    let text = bytes.map { byte in
      (32...126).contains(byte) && byte != UInt8(ascii: "\\")
        ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return item("PRIV", text, info: owner.latin1)
  }

  /// Returns genres by their numbers, "17" and "(17)", and by name, "(17)Rock and Roll".
  private static func genres(_ text: String) -> [String] {
    func name(_ number: Substring) -> String? {
      Int(number).flatMap { id3Genres.indices.contains($0) ? id3Genres[$0] : nil }
    }
    if let name = name(text[...]) { return [name] }
    var found: [String] = []
    var rest = text[...]
    while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
      guard let name = name(rest.dropFirst().prefix(upTo: end)) else { break }
      found.append(name)
      rest = rest[rest.index(after: end)...]
    }
    // A name after a number refines it.
    if !rest.isEmpty {
      if !found.isEmpty { found.removeLast() }
      found.append(String(rest))
    }
    return found.isEmpty ? [text] : found
  }

  /// Returns a date from the three frames of version 2.3: year, DDMM and HHMM.
  private static func date(year: String, day: String?, time: String?) -> String {
    guard year.count == 4, let day, day.count == 4, day.allSatisfy(\.isNumber) else { return year }
    let date = "\(year)-\(day.suffix(2))-\(day.prefix(2))"
    guard let time, time.count == 4, time.allSatisfy(\.isNumber) else { return date }
    return "\(date) \(time.prefix(2)):\(time.suffix(2))"
  }

  /// The names of later versions by those of version 2.2.
  static let laterNames = [
    "BUF": "RBUF", "CNT": "PCNT", "COM": "COMM", "ETC": "ETCO", "EQU": "EQUA", "GEO": "GEOB",
    "IPL": "IPLS", "LNK": "LINK", "MCI": "MCDI", "MLL": "MLLT", "PIC": "APIC", "POP": "POPM",
    "REV": "RVRB", "RVA": "RVAD", "SLT": "SYLT", "STC": "SYTC", "TAL": "TALB", "TBP": "TBPM",
    "TCM": "TCOM", "TCO": "TCON", "TCP": "TCMP", "TCR": "TCOP", "TDA": "TDAT", "TDY": "TDLY",
    "TEN": "TENC", "TFT": "TFLT", "TIM": "TIME", "TKE": "TKEY", "TLA": "TLAN", "TLE": "TLEN",
    "TMT": "TMED", "TOA": "TOPE", "TOF": "TOFN", "TOL": "TOLY", "TOR": "TORY", "TOT": "TOAL",
    "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3", "TP4": "TPE4", "TPA": "TPOS", "TPB": "TPUB",
    "TRC": "TSRC", "TRD": "TRDA", "TRK": "TRCK", "TSI": "TSIZ", "TSS": "TSSE", "TT1": "TIT1",
    "TT2": "TIT2", "TT3": "TIT3", "TXT": "TEXT", "TXX": "TXXX", "TYE": "TYER", "UFI": "UFID",
    "ULT": "USLT", "WAF": "WOAF", "WAR": "WOAR", "WAS": "WOAS", "WCM": "WCOM", "WCP": "WCOP",
    "WPB": "WPUB", "WXX": "WXXX", "TS2": "TSO2", "TSA": "TSOA", "TSC": "TSOC", "TSP": "TSOP",
    "TST": "TSOT",
  ]

  static let earlierNames = Dictionary(
    laterNames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
}
