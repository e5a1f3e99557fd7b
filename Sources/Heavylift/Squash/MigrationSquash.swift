public import HeavyliftMapping
public import HeavyliftModel
import HeavyliftEngine

/// The hops from one version to another, as few mappings as possible.
///
/// ```swift
/// let squash = try MigrationSquash(from: library1, to: library30, of: versions, mappings: folder.search)
/// for part in squash.parts { print(part.title, part.cut ?? "") }
/// if let mapping = squash.mapping { try MappingWriter.write(mapping, to: URL(filePath: "1-30.xml")) }
/// ```
///
/// A mapping replaces several hops only if its result is certainly theirs, for every store, and if it rejects the same
/// stores. It drops and removes by name everything that the hops lose.
public struct MigrationSquash: Sendable {
  /// Consecutive hops, and the mapping that replaces them.
  public struct Part: Sendable {
    /// The hops in the order in which they run.
    public var hops: [MigrationHop]
    /// The mapping that does what the hops do; `nil` for a single hop.
    public var mapping: MappingModel?
    /// The hop that prevents this part from including the next one, and the reason; `nil` for the last part.
    public var cut: Cut?

    /// The first version.
    public var sourceModel: ManagedObjectModel { hops[0].sourceModel }
    /// The last version.
    public var destinationModel: ManagedObjectModel { hops[hops.count - 1].destinationModel }
    /// The versions in words: `'Music 1' → 'Music 9'`.
    public var title: String { "'\(sourceModel.title)' → '\(destinationModel.title)'" }
  }

  /// A hop that cannot be composed with the hops before it.
  public struct Cut: Hashable, Sendable, CustomStringConvertible {
    /// The versions of the hop, in words.
    public var hop: String
    /// The reason in words.
    public var reason: String

    /// The hop and the reason: `'Music 4' → 'Music 5': entity mapping 'X' has policy 'P'`.
    public var description: String { "\(hop): \(reason)" }
  }

  /// The parts in the order in which they run.
  public private(set) var parts: [Part] = []

  /// The mapping that replaces all hops; `nil` if they cannot all be composed, or if there is only one.
  public var mapping: MappingModel? { parts.count == 1 ? parts[0].mapping : nil }

  /// Composes the hops from one version to another. Hops that have no mapping file are inferred.
  ///
  /// - Parameters:
  ///   - source: The first version.
  ///   - destination: The last version.
  ///   - models: All versions, oldest first.
  ///   - mappings: The search for mapping files.
  ///   - stages: The stages between the versions; `nil` if there are none.
  /// - Throws: `MigrationError` if no hops lead from one version to the other; `DiagnosticList` for mistakes in
  ///   mapping files that are needed.
  public init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, of models: [ManagedObjectModel],
    mappings: MappingSearch = MappingSearch([]), stages: StagedMigrationManager? = nil
  ) throws {
    compose(try Self.hops(from: source, to: destination, of: models, mappings: mappings, stages: stages))
  }

  /// Returns the hops from one version to another, without regard to a store.
  static func hops(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, of models: [ManagedObjectModel],
    mappings: MappingSearch, stages: StagedMigrationManager?
  ) throws -> [MigrationHop] {
    let graph = MigrationGraph(
      models: models, mappings: mappings, infersMissing: true, stages: stages?.history.hops ?? [])
    guard let start = models.firstIndex(where: { $0.name == source.name && $0 == source }),
      let end = models.firstIndex(where: { $0.name == destination.name && $0 == destination })
    else {
      throw MigrationError(
        .noPath, problem: "models '\(source.title)' and '\(destination.title)' are not both among the given versions",
        remedy: "specify them along with the others: \(models.map(\.title).quotedList)")
    }
    do {
      return try graph.path(from: start, to: end)
    } catch var error as MigrationError {
      // A jump may have another result than the hops.
      error.remedy = error.remedy?.replacing(", or pass allowsJumps: true to accept what the jump skips", with: "")
      throw error
    }
  }

  private mutating func compose(_ hops: [MigrationHop]) {
    var composition = HopComposition(hops, reach: .stages) { composed throws(HopCut) in
      var hop = composed.hop
      hop.mappings = [try SquashedMapping(composed).written()]
      return hop
    }
    parts = composition.parts().map { part in
      let isSquashed = part.count > 1
      return Part(
        hops: isSquashed ? part.hop.parts : [part.hop], mapping: isSquashed ? part.hop.mappings.first : nil,
        cut: part.cut.map { Cut(hop: $0.hop.title, reason: $0.reason) })
    }
  }
}

extension MigrationSquash.Part {
  /// Returns the entity and the property of the part's first version whose data a hop loses.
  ///
  /// Returns `nil` if the first version does not have the data, such as default values of an attribute that a hop in
  /// between adds. Hops are numbered from 0.
  package func origin(of loss: MigrationLoss, ofHop number: Int) -> (entity: String, property: String?)? {
    VersionLineages(following: Array(hops[...number]))?.names(of: loss.property, loss.entity, in: number, 0)
  }
}
