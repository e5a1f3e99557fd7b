import HeavyliftModel

/// Source and destination entities must not be abstract.
struct AbstractEntity: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.abstract-entity"

    enum Flaw {
      case source
      case destination(isCustom: Bool)
      /// Xcode writes such mappings, which do nothing.
      case both
      /// A hand-written mapping; its author expects these concrete sub-entities to inherit its property mappings.
      case inherited([String])
    }

    var place: String
    var entity: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.compactMap { fact in
      let source = fact.source.map { mapping.source.model.entities[$0] }
      let destination = fact.destination.map { mapping.destination.model.entities[$0] }
      switch (source, destination) {
      case (let source?, let destination?) where source.isAbstract && destination.isAbstract:
        return Mistake(
          place: fact.place, entity: source.name,
          flaw: Self.expectsInheritance(fact, in: mapping)
            ? .inherited(Self.concreteSubentities(of: fact, in: mapping)) : .both,
          location: fact.location(of: "source"))
      case (let source?, _) where source.isAbstract:
        return Mistake(place: fact.place, entity: source.name, flaw: .source, location: fact.location(of: "source"))
      case (let source, let destination?) where destination.isAbstract:
        let makesNone = source == nil && !fact.hasUnknownSource
        return Mistake(
          place: fact.place, entity: destination.name,
          flaw: makesNone ? .both : .destination(isCustom: fact.isCustom), location: fact.location(of: "destination"))
      default: return nil
      }
    }
  }

  private static func expectsInheritance(_ fact: EntityMappingFact, in mapping: MappingIndex) -> Bool {
    let model = mapping.complete.mappingModel
    return !model.isInferred && model.unmentionedEntities != .dropped && !fact.description.propertyMappings.isEmpty
  }

  private static func concreteSubentities(of fact: EntityMappingFact, in mapping: MappingIndex) -> [String] {
    fact.source.map { mapping.source.entityAndSubentities(of: $0) }?
      .map { mapping.source.model.entities[$0] }.filter { !$0.isAbstract }.map(\.name) ?? []
  }

  /// The source entities that a mapping of their abstract parent was probably meant for. Their missing properties are
  /// only a consequence of mapping the parent instead.
  static func expectedHeirs(in mapping: MappingIndex) -> Set<Int> {
    let misplaced = mapping.mappings.filter { fact in
      guard let source = fact.source, let destination = fact.destination else { return false }
      return mapping.source.model.entities[source].isAbstract
        && mapping.destination.model.entities[destination].isAbstract && expectsInheritance(fact, in: mapping)
    }
    return Set(misplaced.compactMap(\.source).flatMap { mapping.source.entityAndSubentities(of: $0) })
  }
}

extension AbstractEntity.Mistake {
  var severity: Diagnostic.Severity {
    switch flaw {
    case .destination(let isCustom): isCustom ? .warning : .error
    case .source: .warning
    case .both: .note
    case .inherited: .error
    }
  }

  var problem: String {
    switch flaw {
    case .source, .both: "\(place) does nothing: there are no objects of abstract entity \(entity.quotedName)"
    case .inherited:
      "\(place) migrates nothing: entity \(entity.quotedName) is abstract, and entities that inherit from it do not "
        + "inherit its mapping"
    case .destination: "\(place) creates objects of entity \(entity.quotedName), which is abstract"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .source: "map the entities that inherit from it"
    case .both: "remove it"
    case .inherited(let names): "write its properties in the mappings of \(names.quotedList) instead"
    case .destination(let isCustom):
      isCustom
        ? "let the policy create objects of entities that inherit from it" : "name an entity that inherits from it"
    }
  }
}
