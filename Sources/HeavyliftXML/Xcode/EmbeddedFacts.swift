import Foundation
import HeavyliftArchive
import HeavyliftModel

/// The named values of one of the objects that Xcode's model editor saves.
struct EmbeddedFacts {
  private var values: [String: ArchivedValue] = [:]

  subscript(name: String) -> ArchivedValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Returns the text, or nil if it is empty, which means the same as missing.
  func text(_ name: String) -> String? {
    guard let text = values[name]?.string, !text.isEmpty else { return nil }
    return text
  }

  func flag(_ name: String) -> Bool? { values[name]?.boolean }

  func number(_ name: String) -> Int? { values[name]?.integer.flatMap { Int(exactly: $0) } }

  func texts(_ name: String) -> [String: String] {
    values[name]?.dictionary?.byName.compactMapValues(\.string) ?? [:]
  }
}

extension AttributeDescription {
  init(name: String, facts: EmbeddedFacts) {
    let type = facts.number("XD_PAttK_attributeType").flatMap { Int32(exactly: $0) }
      .flatMap(AttributeType.init(rawValue:))
    self.init(
      name: name, type: type ?? .undefined, isOptional: facts.flag("XD_PPSK_isOptional") ?? true,
      isTransient: facts.flag("XD_PPSK_isTransient") ?? false, isIndexed: facts.flag("XD_PPSK_isIndexed") ?? false,
      valueTransformerName: facts.text("XD_PAttK_valueTransformerName"),
      renamingIdentifier: facts.text("XD_PPSK_elementID"),
      versionHashModifier: facts.text("XD_PPSK_versionHashModifier"), userInfo: facts.texts("XD_PPSK_userInfo"))
    isIndexedBySpotlight = facts.flag("XD_PPSK_isSpotlightIndexed") ?? false
    isStoredInExternalRecord = facts.flag("XD_PPSK_isStoredInTruthFile") ?? false
    allowsExternalBinaryDataStorage = facts.flag("XD_PAttK_allowsExternalBinaryDataStorage") ?? false
    takeValues(facts)
  }

  /// Reads the default value and the bounds, which are stored as the user typed them.
  private mutating func takeValues(_ facts: EmbeddedFacts) {
    let bounds = (facts.text("XD_PAttK_minValueString"), facts.text("XD_PAttK_maxValueString"))
    if let text = facts.text("XD_PAttK_defaultValueAsString") {
      defaultValue = type == .date ? Self.date(text) : ModelValueText.defaultValue(text, for: type)
    }
    switch type {
    case .string:
      validation.minimumLength = bounds.0.flatMap { Int($0) }
      validation.maximumLength = bounds.1.flatMap { Int($0) }
    case .date:
      validation.minimum = bounds.0.map(Self.date) ?? .null
      validation.maximum = bounds.1.map(Self.date) ?? .null
    default:
      validation.minimum = bounds.0.flatMap { ModelValueText.number($0, for: type) } ?? .null
      validation.maximum = bounds.1.flatMap { ModelValueText.number($0, for: type) } ?? .null
    }
    validation.regularExpression = facts.text("XD_PAttK_regularExpressionString")
  }

  private static func date(_ text: String) -> Value {
    guard let seconds = Double(text), seconds.isFinite else { return .null }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}

extension RelationshipDescription {
  init(name: String, facts: EmbeddedFacts) {
    let inverse = facts["XD_PRK_inverseRelationship"]?.object
    self.init(
      name: name, destinationEntityName: facts["XD_PRK_destination"]?.object?["_name"]?.string,
      inverseName: inverse?["_name"]?.string, inverseEntityName: inverse?["_owner"]?.object?["_name"]?.string,
      isOptional: facts.flag("XD_PPSK_isOptional") ?? true, isTransient: facts.flag("XD_PPSK_isTransient") ?? false,
      isOrdered: facts.flag("XD_PRK_ordered") ?? false, minCount: facts.number("XD_PRK_minCount") ?? 0,
      // If the flag says that the relationship is to-one, the count next to the flag is ignored.
      maxCount: facts.flag("XD_PRK_isToMany") == false ? 1 : facts.number("XD_PRK_maxCount") ?? 0,
      deleteRule: facts.number("XD_PRK_deleteRule").flatMap(DeleteRule.init(rawValue:)) ?? .nullify,
      isIndexed: facts.flag("XD_PPSK_isIndexed") ?? false,
      isIndexedBySpotlight: facts.flag("XD_PPSK_isSpotlightIndexed") ?? false,
      isStoredInExternalRecord: facts.flag("XD_PPSK_isStoredInTruthFile") ?? false,
      renamingIdentifier: facts.text("XD_PPSK_elementID"),
      versionHashModifier: facts.text("XD_PPSK_versionHashModifier"), userInfo: facts.texts("XD_PPSK_userInfo"))
  }
}
