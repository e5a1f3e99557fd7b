import HeavyliftModel

/// A new property that a removed one may have been renamed to.
struct RenamingCandidate {
  let property: PropertyReference
  let isAlike: Bool
  let isCompatible: Bool
  private let old: PropertyReference

  /// - Parameters:
  ///   - isAlike: True if the names are similar.
  ///   - isCompatible: True if the new property can have the values or links of the old one as they are.
  init(_ property: PropertyReference, replacing old: PropertyReference, isAlike: Bool, isCompatible: Bool) {
    (self.property, self.old, self.isAlike, self.isCompatible) = (property, old, isAlike, isCompatible)
  }

  /// The element that migrates the old property's contents; nil if no expression is certain to convert them.
  var element: String? {
    let name = property.name
    switch (old, property) {
    case (.attribute(let old), .attribute):
      if isCompatible { return "<attribute name=\"\(name)\" value=\"$source.\(old.name)\"/>" }
      return conversion.map { "<attribute name=\"\(name)\" value='\($0.expression("$source.\(old.name)"))'/>" }
    case (.relationship(let old), .relationship) where isCompatible:
      return "<relationship name=\"\(name)\" from=\"$source.\(old.name)\"/>"
    default: return nil
    }
  }

  /// The part of the element that the author has to fill in, if any.
  var blank: String? { isCompatible ? nil : conversion?.blank }

  private var conversion: Conversion? {
    guard case (.attribute(let old), .attribute(let new)) = (old, property) else { return nil }
    return Conversion(from: old.type, to: new.type)
  }

  /// The advice if no expression is certain to convert the contents: "a value of 'issuedAt' that reads
  /// $source.issued".
  var reading: String { "a value of \(property.name.quotedName) that reads $source.\(old.name)" }
}
