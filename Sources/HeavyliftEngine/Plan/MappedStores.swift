import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The two stores of a hop and the entity mappings between them. The destination need not exist yet.
package struct MappedStores {
  let mappingModels: [CompleteMappingModel]
  package let mappings: [CompleteEntityMapping]
  package let losses: [MappingLoss]
  /// The entity mappings that fit a relationship, by mapping model.
  let fitting: [FittingMappings]
  /// The index of each entity mapping's mapping model among those that run.
  let modelIndexes: [Int]
  /// The indexes of the entity mappings with each name.
  let mappingsByName: [String: [Int]]
  /// The indexes of the entity mappings that create objects of each entity or its sub-entities.
  let mappingsMaking: [String: [Int]]
  let source: StoreBlueprint
  package let sourceStore: PersistentStore
  package let destination: StoreBlueprint
  /// The models with an implied inverse for each to-many relationship that has none.
  package let sourceModel: ManagedObjectModel
  package let destinationModel: ManagedObjectModel
  package let originalModels: (source: ManagedObjectModel, destination: ManagedObjectModel)
  /// True if source entities that no entity mapping mentions are dropped; the last mapping model decides.
  let dropsUnmentioned: Bool
  /// True if an author wrote a mapping, which remedies can refer to. Others were inferred, or are parts of a stage.
  let isWritten: Bool
  let keys: KeyPlan

  init(
    _ models: [CompleteMappingModel], from store: PersistentStore, to destination: StoreBlueprint, keys: KeyPlan,
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel
  ) {
    (self.destination, self.keys) = (destination, keys)
    mappingModels = models
    mappings = models.flatMap(\.entityMappings)
    losses = models.losses
    fitting = models.map(\.fitting)
    isWritten = models.contains { !$0.mappingModel.isInferred && !$0.mappingModel.isOfStage }
    dropsUnmentioned = models.last?.mappingModel.unmentionedEntities == .dropped
    self.originalModels = (sourceModel, destinationModel)
    modelIndexes = models.enumerated().flatMap { index, model in model.entityMappings.map { _ in index } }
    source = StoreBlueprint(ofSource: store)
    sourceStore = store
    (self.sourceModel, self.destinationModel) = (
      sourceModel.withImpliedInverses, destinationModel.withImpliedInverses
    )
    mappingsByName = Dictionary(grouping: mappings.indices) { [mappings] in mappings[$0].name }
    mappingsMaking = mappings.enumerated().reduce(into: [:]) { mappingIndexes, step in
      guard let entity = destinationModel.entity(named: step.element.destinationEntityName) else { return }
      for ancestor in destinationModel.lineage(of: entity) {
        mappingIndexes[ancestor.name, default: []].append(step.offset)
      }
    }
  }

  /// True if the keys of an entity mapping's objects can be computed from their source objects' keys.
  func hasKeyRule(_ mappingIndex: Int) -> Bool { keys.rules[mappingIndex] != nil }

  /// True if an entity mapping's objects have the keys of their source objects.
  func keepsKeys(_ mappingIndex: Int) -> Bool { keys.rules[mappingIndex]?.offset == 0 }

  // MARK: Filters

  /// Returns the filter of an entity mapping that takes all objects of its source entity that match it.
  func filter(of mapping: CompleteEntityMapping) throws(NotTranslated) -> MappingPredicate? {
    if mapping.description.sourceExpression == nil { return mapping.filter }
    throw NotTranslated("its source expression is more than a simple fetch request")
  }

  /// Names the entity mapping in an error of its filter.
  func evaluatingFilter<Result>(of mapping: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ExpressionEvaluationError {
      var wrapped = HopError.wrapping(error, .migration, .init(mapping: mapping))
      wrapped.problem = "its filter fails: \(wrapped.problem)"
      throw wrapped
    }
  }

  /// True if an entity mapping takes all objects of its source entity.
  func isUnfiltered(_ mappingIndex: Int) -> Bool {
    do {
      return try filter(of: mappings[mappingIndex]) == nil
    } catch {
      return false
    }
  }

  // MARK: Statements

  /// Returns the statement that creates an entity mapping's rows, without relationships, and the reasons why SQL cannot
  /// set certain attributes.
  package func statement(of mappingIndex: Int) throws(NotTranslated) -> (RowTransfer, [MigrationPlan.Reason]) {
    let mapping = mappings[mappingIndex]
    var transfer = try rowsAlone(of: mappingIndex)
    guard hasKeyRule(mappingIndex) else {
      throw NotTranslated("its objects' keys cannot be computed from the source objects' keys")
    }
    var reasons: [MigrationPlan.Reason] = []
    let written = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let entity = destinationModel.entity(named: mapping.destinationEntityName)
    let attributes = entity.map(destinationModel.allAttributes(of:)) ?? []
    for attribute in attributes where !attribute.isRecomputed {
      do throws(NotTranslated) {
        try transfer.set(attribute.name, to: value(of: attribute, written[attribute.name]?.valueExpression))
      } catch {
        reasons.append(.init(error.reason, property: attribute.name))
      }
    }
    return (transfer, reasons)
  }

  /// The derived attributes that are the time of saving, and for which an entity mapping has no value.
  func timesOfMigration(of mapping: CompleteEntityMapping) -> [String] {
    guard let entity = destinationModel.entity(named: mapping.destinationEntityName) else { return [] }
    let written = Set(mapping.attributeMappings.filter { $0.valueExpression != nil }.map(\.name))
    return destinationModel.allAttributes(of: entity).filter { $0.isTimeOfSave && !written.contains($0.name) }
      .map(\.name)
  }

  /// Returns an entity mapping's source rows without any attributes.
  func rowsAlone(of mappingIndex: Int) throws(NotTranslated) -> RowTransfer {
    let mapping = mappings[mappingIndex]
    guard let entity = mapping.sourceEntityName, let newEntity = mapping.destinationEntityName else {
      throw NotTranslated("it has no source entity")
    }
    return try RowTransfer(
      from: source, entity: entity, where: filter(of: mapping), to: destination, entity: newEntity)
  }

  func value(
    of attribute: AttributeDescription, _ expression: MappingExpression?
  ) throws(NotTranslated) -> RowTransfer.AttributeSource {
    guard let expression else { return .none }
    if case .constant(.value(let value)) = expression.kind {
      guard let held = attribute.holding(constant: value) else {
        throw NotTranslated("the attribute cannot hold the constant")
      }
      return .constant(held)
    }
    return .expression(expression)
  }
}

/// Computes the key of a destination object from the key of its source object, and vice versa.
package struct KeyRule: Hashable, Sendable {
  /// The number that is added to a source object's key. 0 keeps the key, and with it all saved object URIs.
  package var offset: Int64

  func destinationKey(ofSource key: Int64) -> Int64 { key + offset }

  func sourceKey(ofDestination key: Int64) -> Int64 { key - offset }
}

/// The keys that the entity mappings of a migration assign.
///
/// Entity mappings of different entities in one source hierarchy share a range of keys: each source object belongs to
/// one entity, so their keys cannot collide. Every other mapping into the same destination hierarchy gets the next
/// range.
package struct KeyPlan: Hashable, Sendable {
  /// The rules, by entity mapping index. A mapping without a source or a destination has none.
  package private(set) var rules: [Int: KeyRule] = [:]
  /// The entity mappings that keep keys regardless of the store's objects, because theirs is the first range.
  private(set) var firstRanges: Set<Int> = []
  /// The first key for objects that policies create, by the root entity of each destination hierarchy.
  private(set) var firstFreeKeys: [String: Int64] = [:]
  /// The highest key ever assigned in the source, by the root entity of each destination hierarchy that keeps keys. New
  /// objects must get higher keys.
  private(set) var reservedKeys: [String: Int64] = [:]

  /// A range of keys, and the source entities whose objects use it.
  private struct Lane {
    var sourceRoot: String
    var sourceEntities: Set<String>
    var offset: Int64
  }

  /// Assigns a range of keys to each entity mapping.
  ///
  /// - Parameter highestKeys: The highest key ever assigned in each source hierarchy, by its root entity.
  /// - Throws: `Diagnostic` if the keys do not fit in 64 bits.
  package init(
    mappings: [CompleteEntityMapping], source: ManagedObjectModel, destination: ManagedObjectModel,
    highestKeys: [String: Int64]
  ) throws {
    func root(of name: String?, in model: ManagedObjectModel) -> String? {
      model.entity(named: name).map { model.rootEntity(of: $0).name }
    }
    var lanes: [String: [Lane]] = [:]
    var ends: [String: Int64] = [:]
    for (mappingIndex, mapping) in mappings.enumerated() {
      guard let sourceName = mapping.sourceEntityName, let sourceRoot = root(of: sourceName, in: source),
        let destinationRoot = root(of: mapping.destinationEntityName, in: destination)
      else { continue }
      let shared = lanes[destinationRoot, default: []].firstIndex {
        $0.sourceRoot == sourceRoot && !$0.sourceEntities.contains(sourceName)
      }
      if let shared {
        lanes[destinationRoot]?[shared].sourceEntities.insert(sourceName)
        rules[mappingIndex] = KeyRule(offset: lanes[destinationRoot]?[shared].offset ?? 0)
        if shared == 0 { firstRanges.insert(mappingIndex) }
        continue
      }
      let offset = ends[destinationRoot] ?? 0
      let (end, isTooFar) = offset.addingReportingOverflow(max(0, highestKeys[sourceRoot] ?? 0))
      guard !isTooFar, end < Int64.max else { throw Self.tooManyKeys(mapping, sourceRoot) }
      if lanes[destinationRoot] == nil { firstRanges.insert(mappingIndex) }
      lanes[destinationRoot, default: []].append(
        Lane(sourceRoot: sourceRoot, sourceEntities: [sourceName], offset: offset))
      ends[destinationRoot] = end
      rules[mappingIndex] = KeyRule(offset: offset)
      if offset == 0 { reservedKeys[destinationRoot] = end }
    }
    firstFreeKeys = ends.mapValues { $0 + 1 }
  }

  private static func tooManyKeys(_ mapping: CompleteEntityMapping, _ root: String) -> Diagnostic {
    Diagnostic(
      .error, code: "migration.keys-exhausted",
      problem: "entity mapping '\(mapping.name)' has no keys left: the keys of '\(root)' objects are too large",
      remedy: "first give the source objects smaller keys, with a migration that does not keep keys")
  }
}

extension ContainedEntities {
  /// - Parameter configuration: The configuration of the destination store; nil if it contains all entities.
  init(_ source: PersistentStore, to configuration: String?, of destinationModel: ManagedObjectModel) {
    self.init(
      source: Set(source.layout.entities.map(\.name)),
      destination: Set(destinationModel.restricted(to: configuration).entities.map(\.name)), of: destinationModel)
  }

  /// Throws `DiagnosticList` if the source has objects whose counterparts do not belong in the destination.
  func refuseLosses(
    of models: [CompleteMappingModel], objectCounts: @autoclosure () throws -> [String: Int], configuration: String?
  ) throws {
    let losing = models.flatMap(\.entityMappings).filter(losesObjects)
    if losing.isEmpty { return }
    let counts = try objectCounts()
    let mistakes: [Diagnostic] = losing.compactMap { mapping in
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName,
        let count = counts[source], count > 0
      else { return nil }
      return Diagnostic(
        .error, code: "migration.outside-configuration",
        problem: "entity mapping \(mapping.name.quotedName) would drop \(count.grouped) × \(source): the new store "
          + "contains configuration \((configuration ?? "").quotedName), which does not have entity \(destination.quotedName)",
        remedy: "add the entity to the configuration, or remove the objects with <entity-mapping "
          + "type=\"remove\" source=\"\(source)\"/>")
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }
}

extension MappedStores {
  /// Returns true if a new attribute accepts every value of the old one that it is copied from.
  package func isAsLenient(_ new: AttributeDescription, _ old: AttributeDescription?) -> Bool {
    let mayBeNil = destinationModel.mayBeNil(new)
    guard let old else { return mayBeNil }
    return (mayBeNil || !sourceModel.mayBeNil(old)) && new.type == old.type && new.validation == old.validation
  }
}
