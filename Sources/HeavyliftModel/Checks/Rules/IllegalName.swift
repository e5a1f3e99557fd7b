/// Names of entities and properties must be identifiers: they become names of classes, accessors, tables and columns. A
/// name with a dot looks like a key path, and a name with a space looks like two words.
struct IllegalName: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.illegal-name"

    enum Flaw: Hashable {
      /// The first character is neither a letter nor an underscore.
      case start(Unicode.Scalar)
      case character(Unicode.Scalar)
      case leadingUnderscore
    }

    var thing: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var found: [Mistake] = []
    func check(_ name: String, _ thing: @autoclosure () -> String, _ markup: Markup) {
      guard let flaw = Self.flaw(of: name) else { return }
      found.append(Mistake(thing: thing(), flaw: flaw, location: markup.location(of: "name")))
    }
    for entity in model.model.entities {
      check(entity.name, "entity \(entity.name.quotedName)", entity.markup)
      for property in entity.properties {
        check(property.name, PropertyPlace(property, of: entity).description, property.markup)
      }
    }
    for composite in model.model.composites {
      check(composite.name, "composite \(composite.name.quotedName)", composite.markup)
    }
    for fact in model.attributes where fact.isElement {
      check(fact.attribute.name, fact.place.description, fact.attribute.markup)
    }
    return found
  }

  private static func flaw(of name: String) -> Mistake.Flaw? {
    guard let first = name.unicodeScalars.first, !isPlain(name) else { return nil }
    // Letters of every alphabet are fine: Core Data and Swift allow Unicode names.
    guard first.properties.isXIDStart || first == "_" else { return .start(first) }
    if let wrong = name.unicodeScalars.first(where: { !$0.properties.isXIDContinue }) { return .character(wrong) }
    return first == "_" ? .leadingUnderscore : nil
  }

  /// True for a letter followed by letters, digits and underscores, all of them ASCII: nearly every name.
  private static func isPlain(_ name: String) -> Bool {
    var letters = name.utf8.makeIterator()
    guard let first = letters.next(), first.isLetter else { return false }
    while let next = letters.next() {
      guard next.isLetter || 0x30...0x39 ~= next || next == 0x5F else { return false }
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}

extension IllegalName.Mistake {
  var severity: Diagnostic.Severity { flaw == .leadingUnderscore ? .warning : .error }

  var problem: String {
    switch flaw {
    case .start(let scalar): "\(thing) has a name that starts with \(Self.shown(scalar))"
    case .character(let scalar): "\(thing) has a name with \(Self.shown(scalar)) in it"
    case .leadingUnderscore: "\(thing) has a name that starts with an underscore, which Xcode does not accept"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    "start with a letter, followed by letters, digits and underscores"
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": "a space"
    case "0"..."9": "a digit"
    default: String(scalar).quotedName
    }
  }
}
