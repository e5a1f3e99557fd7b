import HeavyliftConcurrency
import HeavyliftModel

/// A mapping model with all defaults filled in: each destination property, its value, and the reason for it.
///
/// ```swift
/// let complete = mapping.complete(from: music1, to: music2)
/// for mapping in complete.entityMappings {
///   for attribute in mapping.attributeMappings { print(attribute.name, attribute.valueExpression ?? "-") }
/// }
/// ```
package struct CompleteMappingModel: Hashable, Sendable {
  private struct Contents: Hashable, Sendable {
    var mappingModel: MappingModel
    var sourceModel: ManagedObjectModel
    var destinationModel: ManagedObjectModel
    var entityMappings: [CompleteEntityMapping] {
      didSet { forget() }
    }
    var earlierEntityMappings: [CompleteEntityMapping] {
      didSet { forget() }
    }
    var isLast: Bool
    var onceFacts = Once<MappingFacts>()

    mutating func forget() { onceFacts = Once() }
  }
  @CopyOnWrite private var contents: Contents

  /// The mapping model as written.
  package var mappingModel: MappingModel { contents.mappingModel }
  /// The source model.
  package var sourceModel: ManagedObjectModel { contents.sourceModel }
  /// The destination model.
  package var destinationModel: ManagedObjectModel { contents.destinationModel }
  /// The entity mappings in the order in which they run: written ones, then implied ones.
  package internal(set) var entityMappings: [CompleteEntityMapping] {
    get { contents.entityMappings }
    _modify { yield &contents.entityMappings }
  }
  /// The entity mappings of mapping models that fill the same store before this one, in order. This mapping model can
  /// ask for the objects that they created.
  package internal(set) var earlierEntityMappings: [CompleteEntityMapping] {
    get { contents.earlierEntityMappings }
    _modify { yield &contents.earlierEntityMappings }
  }
  /// True if no other mapping model fills the same store after this one. Only the last one implies entity mappings and
  /// is checked for entities that no mapping takes.
  package var isLast: Bool { contents.isLast }

  init(
    mappingModel: MappingModel, sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel,
    entityMappings: [CompleteEntityMapping], earlierEntityMappings: [CompleteEntityMapping], isLast: Bool
  ) {
    contents = Contents(
      mappingModel: mappingModel, sourceModel: sourceModel, destinationModel: destinationModel,
      entityMappings: entityMappings, earlierEntityMappings: earlierEntityMappings, isLast: isLast)
  }

  /// The facts about the mapping, which its copies share.
  var facts: MappingFacts { contents.onceFacts { MappingFacts(self) } }

  /// Returns the first entity mapping with that name.
  package func entityMapping(named name: String) -> CompleteEntityMapping? {
    entityMappings.first { $0.name == name }
  }
}

extension MappingModel {
  /// Fills in all defaults of the mapping for two models.
  ///
  /// Skips names that the models do not have; `CompleteMappingModel.check` reports them.
  ///
  /// - Parameters:
  ///   - source: The version of existing stores.
  ///   - destination: The version to migrate to.
  ///   - earlier: The entity mappings of mapping models that fill the same store before this one.
  ///   - isLast: True if no other mapping model fills the same store after this one.
  package func complete(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, after earlier: [CompleteEntityMapping] = [],
    isLast: Bool = true
  ) -> CompleteMappingModel {
    MappingCompletion(self, from: source, to: destination, after: earlier, isLast: isLast).complete()
  }
}

extension [MappingModel] {
  /// Fills in all defaults of mapping models that fill the same store one after the other, so that each knows the
  /// entity mappings of the earlier ones.
  package func complete(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [CompleteMappingModel] {
    enumerated().reduce(into: []) { completes, pass in
      completes.append(
        pass.element.complete(
          from: source, to: destination, after: completes.flatMap(\.entityMappings), isLast: pass.offset == count - 1))
    }
  }
}
