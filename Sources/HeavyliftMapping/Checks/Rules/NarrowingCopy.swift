import HeavyliftModel

/// A copied attribute must have a type that holds every value exactly.
struct NarrowingCopy: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.narrowing-copy"
    var property: PropertyMappingFact
    var source: AttributeDescription
    var destination: AttributeDescription
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let destination = property.attribute, !property.owner.isCustom, let entity = property.owner.source,
        case .copied(let name) = property.complete.origin,
        case .attribute(let source)? = mapping.source.property(named: name, of: entity)?.property,
        AttributeCopy(from: source, in: mapping.source.model, to: destination, in: mapping.destination.model)
          == .narrowing
      else { return nil }
      return Mistake(
        property: property, source: source, destination: destination, location: property.location(of: "name"))
    }
  }
}

extension NarrowingCopy.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    "\(property.place) is copied from \(source.typeName) to \(destination.typeName), "
      + "which cannot hold every value exactly"
  }

  func remedy(_ names: MappingNames) -> String? {
    let value = "$source.\(source.name)"
    if destination.type == .boolean { return "write value=\"TERNARY(\(value) != 0, YES, NO)\"" }
    let hasFraction = [AttributeType.decimal, .double, .float].contains(source.type)
    if hasFraction, destination.type.isIntegerClass {
      return "round with value=\"floor:(\(value))\", or widen the type in the destination model"
    }
    return "widen the type in the destination model, or write a 'value' that handles the values that do not fit"
  }
}
