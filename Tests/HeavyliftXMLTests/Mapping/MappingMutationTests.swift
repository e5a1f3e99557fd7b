import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Damaged mapping files: each yields mistakes with locations, or a mapping model that survives writing and reading.
///
/// `HEAVYLIFT_FUZZ_SECONDS=600 swift test --filter MappingMutationTests` runs for ten minutes; `Scripts/fuzz mapping`
/// does the same, guided by coverage.
struct MappingMutationTests {
  static let pieces = [
    "<", ">", "/>", "</", "\"", "'", "=", "&", "&lt;", "&#0;", "&#10;", "&#x1F600;", "&quot;", "<!--", "-->", "--",
    "<?a b?>",
    "<![CDATA[", "]]>", "<!DOCTYPE mapping-model>", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "\n", "\n\n", "\t", "\r", " ",
    "é", "e\u{301}", "😀", "\u{FEFF}", "\u{85}", "\u{0}", "\u{B}", "x", ":", "%", "xmlns=\"a\"",
    "xml:space=\"preserve\"",
    "<attribute name=\"b\"/>", "<user-info key=\"modelVersion\" value=\"\"/>", "<entity-mapping/>", "copy=\"no\"",
    "value=\"1\"", "from=\"$source\"", "mapping=\"A\"", "<source-entity name=\"Track\" properties=\"\"/>", "(", ")",
    ",",
    "type=\"custom\"", "name=\"\"", " where=\"TRUEPREDICATE\"", "</entity-mapping>", "<mapping-model/>", "--><!--",
  ]

  @Test(arguments: [UInt64](1...4)) func `damaged files are read or reported as mistakes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let seconds = ProcessInfo.processInfo.environment["HEAVYLIFT_FUZZ_SECONDS"].flatMap(Double.init)
    let end = seconds.map { Date(timeIntervalSinceNow: $0) }
    var (rounds, valid) = (0, 0)
    while end.map({ Date() < $0 }) ?? (rounds < 300) {
      rounds += 1
      var bytes = Array(MappingSample.text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
      switch Self.outcome(of: Data(bytes)) {
      case .mistakes: break
      case .mapping: valid += 1
      case .wrong(let problem):
        Issue.record("seed \(seed), round \(rounds): \(problem)\n\(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
    // Both results must occur, or the damage is not of the right kind.
    #expect(valid > 0 && valid < rounds)
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where place < bytes.count: bytes.remove(at: place)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...30, using: &random)))
    case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
    case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 4:
      // A removed or repeated line mostly leaves the XML well-formed.
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      let line = Int.random(in: 0..<lines.count, using: &random)
      var changed = lines
      if Bool.random(using: &random) { changed.remove(at: line) } else { changed.insert(lines[line], at: line) }
      bytes = Array(changed.joined(separator: [0x0A]))
    case 5:
      // A name or a value from elsewhere in the file.
      let words = bytes.split { !($0 >= 0x61 && $0 <= 0x7A || $0 == 0x2D || $0 == 0x24 || $0 == 0x2E) }
      guard let word = words.randomElement(using: &random), let other = words.randomElement(using: &random) else {
        return
      }
      bytes.replaceSubrange(word.startIndex..<word.endIndex, with: Array(other))
    default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
    }
  }

  enum Outcome {
    case mistakes
    case mapping
    case wrong(String)
  }

  static func outcome(of data: Data) -> Outcome {
    let reading: MappingReading
    do {
      reading = try MappingReader.read(data: data)
    } catch {
      return check(error.diagnostics, in: data)
    }
    guard !reading.diagnostics.hasErrors else { return check(reading.diagnostics, in: data) }
    do {
      let text = try MappingWriter.text(of: reading.mappingModel)
      let again = try MappingReader.read(text: text).validMappingModel()
      guard again == reading.mappingModel else { return .wrong("read back as another mapping:\n\(text)") }
      guard try MappingWriter.text(of: again) == text else { return .wrong("written again otherwise:\n\(text)") }
      // Everything that the reader accepts, the grammar accepts.
      let refusals = try MappingGrammar.validate(XMLDocument(parsing: data))
      guard refusals.isEmpty else { return .wrong("refused by the grammar: \(refusals)") }
      return .mapping
    } catch {
      return .wrong("\(error)")
    }
  }

  private static func check(_ diagnostics: [Diagnostic], in data: Data) -> Outcome {
    guard !diagnostics.isEmpty else { return .wrong("no mapping model and no mistake") }
    let lines = data.count { $0 == 0x0A || $0 == 0x0D } + 1
    for diagnostic in diagnostics {
      guard let location = diagnostic.location, location.line >= 1, location.line <= lines, location.column >= 1 else {
        return .wrong("a place outside the file: \(diagnostic)")
      }
    }
    return .mistakes
  }
}
