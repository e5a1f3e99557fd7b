import HeavyliftExpression
import HeavyliftModel

/// The entity mapping that a relationship goes through must take the relationship's source objects and create its
/// destination objects.
struct UnrelatedEntityMapping: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unrelated-entity-mapping"

    enum Flaw {
      /// The mapping takes objects of one entity, but is given objects of another.
      case takes(String?, given: String)
      case makes(String?, wanted: String)
    }

    var place: String
    var mapping: String
    var flaw: Flaw
    /// Mappings that would fit.
    var fitting: [String]
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.flatMap { mistakes(of: $0, in: mapping) }
  }

  private func mistakes(of property: PropertyMappingFact, in mapping: MappingIndex) -> [Mistake] {
    guard let relationship = property.relationship, let written = property.written,
      let request = property.complete.valueExpression?.counterpartsRequest,
      let through = request.mapping.flatMap(mapping.mapping(named:)), through.isComplete
    else { return [] }
    let isRelated = if case .related(_, .some) = written.source { true } else { false }
    let isNamed = if case .expression = written.source { true } else { isRelated }
    // If no mapping is named, `NoFittingMapping` reports that none fits.
    guard isNamed else { return [] }
    var found: [Mistake] = []
    func add(_ flaw: Mistake.Flaw, _ fitting: [EntityMappingFact], given: Int? = nil) {
      found.append(
        Mistake(
          place: property.place, mapping: through.name, flaw: flaw, fitting: fitting.prefix(3).map(\.name),
          dependence: mapping.dependence(of: property, onObjectsOf: given),
          location: property.location(of: "mapping", "value")))
    }
    let wanted = mapping.destination.entity(named: relationship.destinationEntityName)
    if let wanted, !through.makes(kindOf: wanted, in: mapping) {
      let fitting = mapping.mappings(to: wanted)
      // If a written expression leads to an unrelated entity, the expression checker reports it.
      if isRelated || through.destination.map({ mapping.destination.areRelated($0, wanted) }) ?? true {
        add(
          .makes(through.mapping.destinationEntityName, wanted: mapping.destination.model.entities[wanted].name),
          fitting)
        return found
      }
    }
    let kind = mapping.type(of: request.objects, in: property.owner).kind
    if let entity = kind.sourceEntity, let given = mapping.source.entity(named: entity),
      !(through.source.map { mapping.source.areRelated($0, given) } ?? false)
    {
      let fitting = mapping.mappings(from: given).filter { candidate in
        wanted.map { candidate.makes(kindOf: $0, in: mapping) } ?? true
      }
      add(.takes(through.mapping.sourceEntityName, given: entity), fitting, given: given)
    }
    return found
  }
}

extension EntityMappingFact {
  /// True if the mapping can be checked because the entities that it names exist.
  fileprivate var isComplete: Bool {
    !hasUnknownSource && (mapping.destinationEntityName == nil || destination != nil)
  }

  /// Returns true if the mapping creates objects of the entity; a policy may create objects of any sub-entity.
  fileprivate func makes(kindOf wanted: Int, in index: MappingIndex) -> Bool {
    guard let destination else { return false }
    return index.destination.isKind(destination, of: wanted)
      || (isCustom && index.destination.isKind(wanted, of: destination))
  }
}

extension UnrelatedEntityMapping.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }

  var problem: String { fact + dependence.suffix }

  private var fact: String {
    let start = "\(place) refers to entity mapping \(mapping.quotedName)"
    return switch flaw {
    case .takes(nil, _): "\(start), which has no source entity"
    case .takes(let entity?, let given):
      "\(start), which expects \(entity.quotedName) objects but gets \(given.quotedName) objects"
    case .makes(nil, _): "\(start), which has no destination entity"
    case .makes(let entity?, let wanted):
      "\(start), which creates \(entity.quotedName) objects instead of \(wanted.quotedName) objects"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    fitting.isEmpty ? nil : "did you mean \(fitting.map(\.quotedName).joined(separator: " or "))?"
  }
}
