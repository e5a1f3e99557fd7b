import HeavyliftExpression
import HeavyliftMapping
import HeavyliftTestSupport

/// Generates mapping models with everything that the format supports.
struct MappingSource {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func mapping() -> MappingModel {
    var mapping = MappingModel(
      source: reference(), destination: reference(), copying: pick(ConservativeCopy.allCases),
      entityMappings: many(0...4) { $0.entityMapping() }, markup: markup())
    mapping.markup.form.followingComments = comments()
    for index in 0..<number(0...2) {
      mapping.markup.form.instructions.append(.init(text: "xml-model href=\"\(index)\"", position: number(0...3)))
    }
    for name in mapping.source.fingerprints.keys where flip() {
      mapping.markup.form.parts[.sourceEntity(name)] = markup()
    }
    for name in mapping.destination.fingerprints.keys where flip() {
      mapping.markup.form.parts[.destinationEntity(name)] = markup()
    }
    return mapping
  }

  mutating func reference() -> ModelReference {
    var fingerprints: [String: EntityFingerprint] = [:]
    for _ in 0..<number(0...2) {
      var properties: [String: String] = [:]
      for _ in 0..<number(0...3) {
        properties[text()] = pick(["3fa9c2d1", "0b11aa90", String(repeating: "f0", count: 32)])
      }
      fingerprints[text()] = EntityFingerprint(properties: properties)
    }
    return ModelReference(
      name: maybe { $0.text() }, checksum: maybe { _ in "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" },
      fingerprints: fingerprints)
  }

  mutating func entityMapping() -> EntityMappingDescription {
    var mapping = EntityMappingDescription(
      name: maybe { $0.text() }, type: maybe { $0.pick(EntityMappingType.allCases) }, source: maybe { $0.text() },
      destination: maybe { $0.text() }, filter: maybe { $0.predicate() }, sourceExpression: maybe { $0.expression() },
      policy: maybe { $0.text() }, copying: maybe { $0.pick(ConservativeCopy.allCases) },
      properties: many(0...4) { $0.property() }, userInfo: userInfo(), markup: markup())
    for key in mapping.userInfo.keys where flip() { mapping.markup.form.parts[.userInfo(key)] = markup() }
    return mapping
  }

  mutating func property() -> PropertyMappingDescription {
    let kind = pick(PropertyMappingDescription.Kind.allCases)
    let source: PropertyMappingDescription.Source =
      switch number(0...3) {
      case 0: .automatic
      case 1: .unmapped
      case 2 where kind == .relationship: .related(from: expression(), through: maybe { $0.text() })
      case 3 where kind == .relationship: .related(from: maybe { $0.expression() }, through: text())
      default: .expression(expression())
      }
    return PropertyMappingDescription(kind, name: text(), source: source, userInfo: userInfo(), markup: markup())
  }

  mutating func expression() -> MappingExpression {
    let text = pick([
      "$source.seconds * 1000", "FUNCTION($manager, \"a:b:\", $source.x, 'it''s')".replacing("''", with: "\\'"),
      "TERNARY(a > 3 AND b != 'é', 1, nil)", "{1, -2.5, 'x'}", "CAST(1, 'NSDate')", "a.b[0] ** 2 - -3",
      "SUBQUERY($source.tracks, $t, $t.title BEGINSWITH[cd] '<&\">').@count", "SELF",
    ])
    let parsed = (try? MappingExpression(parsing: text)) ?? MappingExpression(.object)
    return flip() ? parsed : MappingExpression(.constant(.value(.string(self.text()))))
  }

  mutating func predicate() -> MappingPredicate {
    let text = pick([
      "title != nil", "a > 3 AND (b < 4 OR NOT c == 'q')", "ANY tags.name LIKE[c] '*\\\\*'", "TRUEPREDICATE",
      "a BETWEEN {1, 2} AND SUBQUERY(b, $x, $x > 1).@count == 0",
    ])
    return (try? MappingPredicate(parsing: text)) ?? MappingPredicate(.literal(true))
  }

  mutating func userInfo() -> [String: String] {
    var userInfo: [String: String] = [:]
    for _ in 0..<number(0...2) { userInfo[flip() ? text() : ""] = flip() ? text() : pick(["", " ", "\n"]) }
    return userInfo
  }

  mutating func markup() -> MappingMarkup {
    guard flip() else { return MappingMarkup() }
    return MappingMarkup(
      comments: comments(), closingComments: comments(),
      form: MappingForm(
        blankLines: Set(many(0...2) { $0.number(0...3) }), trailingComments: comments(),
        closingBlankLines: Set(many(0...2) { $0.number(0...3) })))
  }

  mutating func comments() -> [String] {
    many(0...2) { source in
      source.pick([
        " why it is so ", "", " two\n     lines ", "--", "-", " a -- b ---", "\r\n", "\u{0}", " é 😀 <b> & ]]> ",
        source.text(),
      ])
    }
  }

  /// A text with characters that are hard for XML, the expression language or people.
  mutating func text() -> String {
    let pieces = [
      "title", "Track", " ", "  ", "\n", "\t", "\r", "\r\n", "\"", "'", "&", "&amp;", "<", ">", "<!--", "-->", "]]>",
      "é", "e\u{301}", "😀", "\u{FEFF}", "\u{2028}", "\u{85}", "%", "%20", ":", "\\", "$", "#", "\u{7F}", "{", "}",
      String(repeating: "long ", count: 30), "=", "/", "?>",
    ]
    var text = "x"
    for _ in 0..<number(0...4) { text += pick(pieces) }
    return flip() ? text : text + "y"
  }

  mutating func maybe<T>(_ make: (inout MappingSource) -> T) -> T? { flip() ? make(&self) : nil }

  mutating func many<T>(_ range: ClosedRange<Int>, _ make: (inout MappingSource) -> T) -> [T] {
    (0..<number(range)).map { _ in make(&self) }
  }

  mutating func flip() -> Bool { Bool.random(using: &generator) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func pick<T>(_ choices: [T]) -> T { choices[number(0...(choices.count - 1))] }
}
