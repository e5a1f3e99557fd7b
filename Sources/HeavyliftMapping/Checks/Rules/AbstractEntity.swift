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
    }

    var place: String
    var entity: String
    var flaw: Flaw
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.compactMap { fact in
      let source = fact.source.map { mapping.source.model.entities[$0] }
      let destination = fact.destination.map { mapping.destination.model.entities[$0] }
      switch (source, destination) {
      case (let source?, let destination?) where source.isAbstract && destination.isAbstract:
        return Mistake(place: fact.place, entity: source.name, flaw: .both, location: fact.location(of: "source"))
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
}

extension AbstractEntity.Mistake {
  var severity: Diagnostic.Severity {
    switch flaw {
    case .destination(let isCustom): isCustom ? .warning : .error
    case .source: .warning
    case .both: .note
    }
  }

  var problem: String {
    switch flaw {
    case .source, .both: "\(place) does nothing: there are no objects of abstract entity \(entity.quotedName)"
    case .destination: "\(place) makes objects of entity \(entity.quotedName), which is abstract"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .source: "map the entities that inherit from it"
    case .both: "leave it out"
    case .destination(let isCustom):
      isCustom ? "let the policy make objects of entities that inherit from it" : "name one that inherits from it"
    }
  }
}
