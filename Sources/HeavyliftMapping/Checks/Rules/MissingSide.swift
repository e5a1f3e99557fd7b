import HeavyliftModel

/// An entity mapping must have the source and destination entities that its parts need.
struct MissingSide: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.missing-side"

    enum Flaw {
      case neither
      case propertiesWithoutDestination
      case filterWithoutSource
      case sourceExpressionWithoutSource
      /// Nothing creates objects to hold the properties.
      case propertiesWithoutSource
    }

    var place: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      let properties = fact.description.propertyMappings
      let (source, destination) = (fact.mapping.sourceEntityName, fact.mapping.destinationEntityName)
      func mistake(_ flaw: Mistake.Flaw, _ location: DiagnosticLocation?) -> Mistake {
        Mistake(place: fact.place, flaw: flaw, location: location)
      }
      if source == nil, destination == nil {
        // A policy can do anything before and after the other mappings. If the type requires an entity,
        // `TypeContradicts` reports that it is missing.
        let isToldByType = fact.description.givenType.map { $0 != .undefined && $0 != .custom } ?? false
        return fact.isCustom || isToldByType ? [] : [mistake(.neither, fact.description.markup.location)]
      }
      var found: [Mistake] = []
      if destination == nil, let first = properties.first {
        found.append(mistake(.propertiesWithoutDestination, first.markup.location))
      }
      if source == nil {
        if fact.mapping.filter != nil { found.append(mistake(.filterWithoutSource, fact.location(of: "where"))) }
        if fact.description.sourceExpression != nil {
          found.append(mistake(.sourceExpressionWithoutSource, fact.location(of: "source-expression")))
        }
        if !fact.isCustom, let first = properties.first(where: \.isExpression) {
          found.append(mistake(.propertiesWithoutSource, first.markup.location))
        }
      }
      return found
    }
  }
}

extension PropertyMappingDescription {
  /// True if the property mapping gives the value explicitly.
  fileprivate var isExpression: Bool {
    switch source {
    case .expression, .related(.some, _): true
    default: false
    }
  }
}

extension MissingSide.Mistake {
  var severity: Diagnostic.Severity { flaw == .neither || flaw == .propertiesWithoutSource ? .warning : .error }

  var problem: String {
    switch flaw {
    case .neither: "\(place) does nothing: it has neither a source nor a destination entity"
    case .propertiesWithoutDestination: "\(place) maps properties, but has no destination entity"
    case .filterWithoutSource: "\(place) has a filter, but no source entity"
    case .sourceExpressionWithoutSource: "\(place) has a source expression, but no source entity"
    case .propertiesWithoutSource: "\(place) creates no objects on its own: it has no source entity and no policy"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .neither: "remove it, or name entities with 'source' and 'destination'"
    case .propertiesWithoutDestination: "name the entity with 'destination', or remove the properties"
    case .filterWithoutSource: "name the entity with 'source', or remove 'where'"
    case .sourceExpressionWithoutSource: "name the entity with 'source', or remove 'source-expression'"
    case .propertiesWithoutSource:
      "name a source entity with 'source', or a policy that creates the objects with 'policy'"
    }
  }
}
