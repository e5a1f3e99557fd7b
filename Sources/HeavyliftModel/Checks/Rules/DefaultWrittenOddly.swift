import Foundation

/// A default in a file must be written like a value of its type. Core Data reads other spellings in its own way,
/// which may not be what was meant.
struct DefaultWrittenOddly: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.default-text"
    var place: PropertyPlace
    var type: AttributeType
    var text: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      let attribute = fact.attribute
      guard let text = attribute.markup["defaultValueString"], !text.isEmpty, !Self.reads(text, as: attribute),
        // Another rule reports values of the wrong type.
        ValueFit(attribute.defaultValue, attribute.type) == .fits
      else { return nil }
      return Mistake(
        place: fact.place, type: attribute.type, text: text,
        location: attribute.markup.location(of: "defaultValueString"))
    }
  }

  private static func reads(_ text: String, as attribute: AttributeDescription) -> Bool {
    switch attribute.type {
    case .integer16, .integer32, .integer64: Int64(text) != nil
    case .boolean: ValueFit.flag(text) != nil
    case .double, .float: Double(text) != nil
    case .decimal: Double(text) != nil && Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil
    case .uuid: UUID(uuidString: text) != nil
    // Users who want an empty string type two quotation marks, and get a string of two quotation marks.
    case .string: !(text.utf16.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\""))
    // A date's default is in a separate XML attribute. Xcode also keeps the text as typed, such as "now", which has no
    // effect on its own.
    case .date: attribute.markup["defaultDateTimeInterval"]?.isEmpty == false
    case .undefined, .uri, .binaryData, .transformable, .objectID, .composite: true
    }
  }
}

extension DefaultWrittenOddly.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    switch type {
    case .string: "\(place) has a default in quotation marks, which are part of the text"
    case .date:
      "\(place) has type \(type.modelName), and its default \(text.quotedName) has no effect without a "
        + "defaultDateTimeInterval"
    default: "\(place) has type \(type.modelName), but its default is written as \(text.quotedName)"
    }
  }
  func remedy(_ names: NameSuggestions) -> String? {
    switch type {
    case .string: "write the text without quotation marks, or remove the default if it is meant to be empty"
    case .date: "write the seconds since 2001-01-01 00:00:00 UTC as defaultDateTimeInterval, or remove the default"
    default: "write it as Xcode does for this type"
    }
  }
}
