import HeavyliftModel

/// A copied attribute must have a compatible type.
struct IncompatibleCopy: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.incompatible-copy"
    var property: PropertyMappingFact
    var source: AttributeDescription
    var destination: AttributeDescription
    /// True if the attribute is skipped; false if it is copied anyway.
    var isLeftOut: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let destination = property.attribute, !property.owner.isCustom, let entity = property.owner.source else {
        return nil
      }
      let (name, isLeftOut): (String, Bool)
      switch property.complete.origin {
      case .copied(let from): (name, isLeftOut) = (from, false)
      case .unmapped(.incompatible(let from)): (name, isLeftOut) = (from, true)
      default: return nil
      }
      guard case .attribute(let source)? = mapping.source.property(named: name, of: entity)?.property,
        AttributeCopy(from: source, in: mapping.source.model, to: destination, in: mapping.destination.model)
          == .impossible
      else { return nil }
      return Mistake(
        property: property, source: source, destination: destination, isLeftOut: isLeftOut,
        location: property.location(of: "name"))
    }
  }
}

extension IncompatibleCopy.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let types = "\(destination.typeName), but source attribute \(source.name.quotedName) has \(source.typeName)"
    return "\(property.place) has \(types)\(isLeftOut ? ": its values would be lost" : ", whose values it cannot hold")"
  }

  func remedy(_ names: MappingNames) -> String? {
    let given =
      Conversion(from: source.type, to: destination.type).map { conversion in
        "write value='\(conversion.expression("$source.\(source.name)"))'"
          + (conversion.blank.map { " with \($0)" } ?? "")
      } ?? "write a 'value' that converts them"
    return property.mustHaveValue ? given : "\(given), or copy=\"no\" to discard them"
  }
}

extension AttributeDescription {
  /// The type in words: "type 'Integer 16'".
  var typeName: String {
    type == .composite && compositeName != nil
      ? "composite type \((compositeName ?? "").quotedName)" : "type '\(type.modelName)'"
  }
}
