import HeavyliftModel

/// Objects of a source entity must not be lost unless the mapping removes the entity by name.
///
/// Xcode's mapping models drop the entities that they do not mention, so for them this is only a warning.
struct DroppedEntity: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.dropped-entity"

    /// The reason why the entity is not copied implicitly.
    enum Reason: Equatable {
      /// The destination model does not have the entity; the associated value is a new entity that it may have been
      /// renamed to.
      case gone(String?)
      /// The entity's successor in the destination model is abstract.
      case abstract(String)
      /// The mapping copies only what it lists, or only entities of the same name; the associated value is a
      /// destination entity that could hold the objects.
      case unlisted(String)
    }

    var entity: String
    var reason: Reason
    /// The entity mapping of the nearest mapped ancestor.
    var mappingOfParent: (mapping: String, entity: String)?
    var isIntended: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let facts = mapping.facts
    return facts.coverage.dropped.sorted().map { entity in
      let parent = mappingOfParent(entity, in: mapping)
      var reason = Mistake.Reason.gone(facts.renamed.candidate(for: entity))
      if let successor = facts.pair.successors[entity].map({ mapping.destination.model.entities[$0] }) {
        reason = successor.isAbstract ? .abstract(successor.name) : .unlisted(successor.name)
      }
      return Mistake(
        entity: mapping.source.model.entities[entity].name, reason: reason,
        mappingOfParent: parent.map { ($0.name, $0.mapping.sourceEntityName ?? "") },
        isIntended: facts.mappingModel.unmentionedEntities == .dropped,
        location: parent?.location(of: "source") ?? mapping.location)
    }
  }

  /// Returns the mapping of the nearest mapped ancestor, which does not take objects of sub-entities.
  private func mappingOfParent(_ entity: Int, in mapping: MappingIndex) -> EntityMappingFact? {
    var next = mapping.source.entity(named: mapping.source.model.entities[entity].superentityName)
    while let parent = next {
      if let found = mapping.mappings(from: parent).first(where: { !$0.isImplied }) { return found }
      next = mapping.source.entity(named: mapping.source.model.entities[parent].superentityName)
    }
    return nil
  }
}

extension DroppedEntity.Mistake {
  var severity: Diagnostic.Severity { isIntended ? .warning : .error }

  var problem: String {
    let name = entity.quotedName
    let start =
      if let (mapping, parent) = mappingOfParent {
        "no entity mapping covers \(name), which inherits from \(parent.quotedName); entity mapping "
          + "\(mapping.quotedName) does not include sub-entities"
      } else {
        "no entity mapping covers source entity \(name)"
      }
    return switch reason {
    case .gone where mappingOfParent != nil: "\(start), and the destination model has no \(name)"
    case .unlisted(entity) where mappingOfParent != nil: start
    case .gone: "\(start), and the destination model does not have it"
    case .abstract(let successor) where successor == entity:
      "\(start), and \(name) is abstract in the destination model"
    case .abstract(let successor):
      "\(start), and \(name) became destination entity \(successor.quotedName), which is abstract"
    case .unlisted(let successor) where successor == entity: "\(start), which the destination model still has"
    case .unlisted(let successor):
      "\(start), and \(name) is called \(successor.quotedName) in the destination model"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    let remove = "'<entity-mapping type=\"remove\" source=\"\(entity)\"/>'"
    return switch reason {
    case .gone(let candidate?):
      "write '<entity-mapping source=\"\(entity)\" destination=\"\(candidate)\"/>' if it was renamed, or \(remove) if "
        + "its objects are to be deleted"
    case .gone(nil), .abstract:
      "write \(remove) if its objects are to be deleted, or '<entity-mapping source=\"\(entity)\" destination=\"…\"/>'"
    case .unlisted(let successor):
      "write '<entity-mapping source=\"\(entity)\" destination=\"\(successor)\"/>', or \(remove) if its objects are "
        + "to be deleted"
    }
  }
}
