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
  /// The mapping model as written.
  package let mappingModel: MappingModel
  /// The source model.
  package let sourceModel: ManagedObjectModel
  /// The destination model.
  package let destinationModel: ManagedObjectModel
  /// The entity mappings in the order in which they run: written ones, then implied ones.
  package internal(set) var entityMappings: [CompleteEntityMapping] { didSet { forget() } }
  /// The entity mappings of mapping models that fill the same store before this one, in order. This mapping model can
  /// ask for the objects that they created.
  package internal(set) var earlierEntityMappings: [CompleteEntityMapping] { didSet { forget() } }
  /// True if no other mapping model fills the same store after this one. Only the last one implies entity mappings and
  /// is checked for entities that no mapping takes.
  package let isLast: Bool
  private var onceFacts = Once<MappingFacts>()

  init(
    mappingModel: MappingModel, sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel,
    entityMappings: [CompleteEntityMapping], earlierEntityMappings: [CompleteEntityMapping], isLast: Bool
  ) {
    (self.mappingModel, self.sourceModel, self.destinationModel) = (mappingModel, sourceModel, destinationModel)
    (self.entityMappings, self.earlierEntityMappings) = (entityMappings, earlierEntityMappings)
    self.isLast = isLast
  }

  private mutating func forget() { onceFacts = Once() }

  /// The facts about the mapping, which its copies share.
  var facts: MappingFacts { onceFacts { MappingFacts(self) } }

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
