import HeavyliftModel

/// An object of a mapping model as Xcode's editor stores it: values and references by name.
struct XcodeObject {
  /// The kinds of objects in a mapping model. The raw values are the names of their entities in the file.
  enum Kind: String, CaseIterable {
    case mappingModel = "XDDEVMAPPINGMODEL"
    case entityMapping = "XDDEVENTITYMAPPING"
    case attributeMapping = "XDDEVATTRIBUTEMAPPING"
    case relationshipMapping = "XDDEVRELATIONSHIPMAPPING"

    /// The kind with its article, for messages.
    var words: String {
      switch self {
      case .mappingModel: "a mapping model"
      case .entityMapping: "an entity mapping"
      case .attributeMapping: "an attribute mapping"
      case .relationshipMapping: "a relationship mapping"
      }
    }
  }

  /// An ID in a relationship, and its location.
  struct Reference {
    var id: String
    var location: DiagnosticLocation?
  }

  var id: String
  var kind: Kind
  var location: DiagnosticLocation?
  /// The elements that hold the values, by the values' names.
  var values: [String: XMLElement] = [:]
  /// The references in each relationship, in file order.
  var references: [String: [Reference]] = [:]

  /// Returns the text of a value; nil if it is missing or empty, which mean the same.
  func text(_ name: String) -> XcodeText? {
    guard let element = values[name] else { return nil }
    let text = XcodeText(of: element, file: element.location?.file)
    return text.value.isEmpty ? nil : text
  }

  /// Returns the location of a value, or else of the object.
  func location(of name: String) -> DiagnosticLocation? { values[name]?.location ?? location }
}
