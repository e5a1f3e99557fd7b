import HeavyliftExpression
import HeavyliftModel

/// A given type must match what the entity mapping does.
struct TypeContradicts: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.type-contradicts"

    enum Flaw {
      case addsFromSource
      case removesIntoDestination
      case customWithoutPolicy
      case notCustom(policy: String)
      case missingSource
      case missingDestination
      case copiesChanged(String?)
    }

    var place: String
    var type: EntityMappingType
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      guard let type = fact.description.givenType else { return [] }
      return flaws(of: fact, type, in: mapping).map {
        Mistake(place: fact.place, type: type, flaw: $0, location: fact.location(of: "type"))
      }
    }
  }

  private func flaws(
    of fact: EntityMappingFact, _ type: EntityMappingType, in mapping: MappingIndex
  ) -> [Mistake.Flaw] {
    let hasSource = fact.mapping.sourceEntityName != nil
    let hasDestination = fact.mapping.destinationEntityName != nil
    switch type {
    case .undefined: return []
    case .custom: return fact.isCustom ? [] : [.customWithoutPolicy]
    case .add:
      return (hasSource ? [.addsFromSource] : []) + (hasDestination || !hasSource ? missing(hasDestination) : [])
    case .remove:
      if hasDestination { return [.removesIntoDestination] }
      return hasSource ? [] : [.missingSource]
    case .copy, .transform:
      if !hasSource { return [.missingSource] }
      if !hasDestination { return [.missingDestination] }
      if let policy = fact.mapping.policyClassName { return [.notCustom(policy: policy)] }
      if type == .copy, let flaw = change(in: fact, mapping) { return [flaw] }
      return []
    }
  }

  private func missing(_ hasDestination: Bool) -> [Mistake.Flaw] { hasDestination ? [] : [.missingDestination] }

  /// Returns the first property that the mapping changes, if any.
  private func change(in fact: EntityMappingFact, _ mapping: MappingIndex) -> Mistake.Flaw? {
    guard fact.entities != nil else { return nil }
    // Xcode's compiler only looks at the entities, not at the expressions; its output lists every property.
    let copying = fact.description.copying ?? mapping.complete.mappingModel.copying
    if copying == .listed, fact.mapping.type == .copy { return nil }
    let written = fact.description.propertyMappings.first {
      if case .expression(let value) = $0.source { value.takenPropertyName != $0.name } else { false }
    }
    if let written { return .copiesChanged(written.name) }
    return fact.mapping.type == .transform ? .copiesChanged(nil) : nil
  }
}

extension TypeContradicts.Mistake {
  var severity: Diagnostic.Severity {
    switch flaw {
    case .notCustom, .copiesChanged: .warning
    default: .error
    }
  }

  var problem: String {
    let start = "\(place) has type '\(type.word)'"
    return switch flaw {
    case .addsFromSource: "\(start), but also has a source entity"
    case .removesIntoDestination: "\(start), but also has a destination entity"
    case .customWithoutPolicy: "\(start), but names no policy"
    case .notCustom(let policy): "\(start), but policy \(policy.quotedName) decides what it does"
    case .missingSource: "\(start), but has no source entity"
    case .missingDestination: "\(start), but has no destination entity"
    case .copiesChanged(let property?): "\(start), but gives \(property.quotedName) a different value"
    case .copiesChanged(nil): "\(start), but some properties of the destination entity are not copied unchanged"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .addsFromSource: "remove 'source', or write 'type=\"transform\"'"
    case .removesIntoDestination: "remove 'destination', or write 'type=\"transform\"'"
    case .customWithoutPolicy: "name the policy with 'policy', or remove 'type'"
    case .notCustom: "remove 'type', or write 'type=\"custom\"'"
    case .missingSource: "name the source entity with 'source', or remove 'type'"
    case .missingDestination: "name the destination entity with 'destination', or remove 'type'"
    case .copiesChanged: "remove 'type', or write 'type=\"transform\"'"
    }
  }
}
