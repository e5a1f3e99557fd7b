import HeavyliftModel

/// A value that is not stored must be neither set nor copied.
struct ValueNotStored: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.not-stored"

    enum Flaw {
      case destination(String)
      case source(String, isMandatory: Bool)
    }

    var place: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      if let reason = property.property.reasonForNoValue, let written = property.written {
        switch written.source {
        case .related, .automatic: break
        // The expression checker reports a value that is set.
        case .expression, .unmapped: return nil
        }
        // Xcode's mappings list every property.
        if property.complete.valueExpression == nil || isListed(property, in: mapping) { return nil }
        return Mistake(place: property.place, flaw: .destination(reason), location: written.markup.location(of: "name"))
      }
      guard !property.owner.isCustom, let name = property.complete.origin.sourcePropertyName,
        let entity = property.owner.source, property.property.reasonForNoValue == nil,
        let source = mapping.source.property(named: name, of: entity)?.property, source.isTransient
      else { return nil }
      return Mistake(
        place: property.place, flaw: .source(name, isMandatory: !property.property.mayBeMissing),
        location: property.location(of: "name"))
    }
  }

  private func isListed(_ property: PropertyMappingFact, in mapping: MappingIndex) -> Bool {
    (property.owner.description.copying ?? mapping.complete.mappingModel.copying) == .listed
  }
}

extension PropertyReference {
  var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetched: false
    }
  }

  fileprivate var reasonForNoValue: String? {
    switch self {
    case .attribute(let attribute) where attribute.isTransient: "is transient: its value is not stored"
    case .attribute(let attribute) where attribute.isRecomputed: "is derived: the store computes its value"
    case .relationship(let relationship) where relationship.isTransient: "is transient: its value is not stored"
    default: nil
    }
  }
}

extension ValueNotStored.Mistake {
  var severity: Diagnostic.Severity {
    switch flaw {
    case .destination: .note
    case .source(_, let isMandatory): isMandatory ? .error : .warning
    }
  }

  var problem: String {
    switch flaw {
    case .destination(let reason): "\(place) \(reason)"
    case .source(let name, _): "\(place) is copied from \(name.quotedName), which is transient and therefore always nil"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .destination: "remove its mapping"
    case .source(_, let isMandatory): isMandatory ? "write a 'value'" : "write a 'value', or 'copy=\"no\"'"
    }
  }
}
