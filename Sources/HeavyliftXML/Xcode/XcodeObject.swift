import HeavyliftModel

/// One of the objects that Xcode edits a mapping model as, as it stands in the file: values and references by name.
struct XcodeObject {
  /// The kinds of objects in a mapping model. The raw values are the names of their entities in the file.
  enum Kind: String, CaseIterable {
    case mappingModel = "XDDEVMAPPINGMODEL"
    case entityMapping = "XDDEVENTITYMAPPING"
    case attributeMapping = "XDDEVATTRIBUTEMAPPING"
    case relationshipMapping = "XDDEVRELATIONSHIPMAPPING"

    /// With its article, as messages have it.
    var words: String {
      switch self {
      case .mappingModel: "a mapping model"
      case .entityMapping: "an entity mapping"
      case .attributeMapping: "an attribute mapping"
      case .relationshipMapping: "a relationship mapping"
      }
    }
  }

  /// The ids that a relationship leads to, in the order of the file.
  struct Reference {
    var id: String
    var location: SourceLocation?
  }

  var id: String
  var kind: Kind
  var location: SourceLocation?
  /// The elements that hold the values, by the values' names.
  var values: [String: XMLElement] = [:]
  var references: [String: [Reference]] = [:]

  /// The text of a value; nil where there is none, or an empty one, which says no more.
  func text(_ name: String) -> XcodeText? {
    guard let element = values[name] else { return nil }
    let text = XcodeText(of: element, file: element.location?.file)
    return text.value.isEmpty ? nil : text
  }

  /// Where a value stands, or else the object.
  func location(of name: String) -> SourceLocation? { values[name]?.location ?? location }
}
