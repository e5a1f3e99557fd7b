import HeavyliftModel

/// A mandatory attribute must have a value or a default.
struct MissingValue: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.missing-value"
    var property: PropertyMappingFact
    var attribute: AttributeDescription
    var reason: UnmappedReason
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let attribute = property.attribute, let reason = property.unmappedReason, !attribute.isOptional,
        attribute.defaultValue.isNull, !attribute.isTransient, !attribute.isDerived,
        // A mapping without a source creates no objects on its own.
        property.owner.mapping.sourceEntityName != nil,
        // The elements of a composite have their own defaults.
        attribute.type != .composite, !property.owner.isCustom, reason.isNotToldOtherwise,
        !property.owner.presumedProperties.contains(attribute.name), !property.hasNothingToCopy(in: mapping)
      else { return nil }
      return Mistake(
        property: property, attribute: attribute, reason: reason, dependence: mapping.dependence(of: property),
        location: property.location(of: "copy"))
    }
  }
}

extension UnmappedReason {
  /// True if no other rule reports a mandatory property that gets no value for this reason. A mapping of type add
  /// creates no objects on its own, and values that cannot be copied have their own rule.
  var isNotToldOtherwise: Bool {
    switch self {
    case .noSource, .incompatible, .manyIntoOne, .otherKind, .severalFittingMappings: false
    default: true
    }
  }
}

extension MissingValue.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }
  var problem: String { fact + dependence.suffix }

  private var fact: String {
    let start = "mandatory attribute \(attribute.name.quotedName) of \(property.owner.place) gets no value"
    let source = (property.owner.mapping.sourceEntityName ?? "").quotedName
    return switch reason {
    case .written: "\(start) and has no default"
    case .notListed: "\(start): it is not listed, and has no default"
    case .notInSource: "\(start): source entity \(source) does not have it, and it has no default"
    default: "\(start) and has no default"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    let element = "<attribute name=\"\(attribute.name)\" value=\"…\"/>"
    return "write '\(element)', or give it a default in the destination model"
  }
}
