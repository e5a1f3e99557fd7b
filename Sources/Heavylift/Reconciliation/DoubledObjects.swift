import HeavyliftMapping
import HeavyliftStore

extension MappedStores {
  /// Throws if two entity mappings create objects of the same entity from the same source objects, and neither says
  /// `duplicates="intended"`.
  ///
  /// The check of mappings finds most of them. Whether two different filters match the same object depends on the store.
  ///
  /// - Parameter keys: The keys of the source objects that an entity mapping takes; nil if they are not known.
  func refuseDoubledObjects(_ keys: (Int) -> KeySet?) throws {
    var earlier: [[String?]: [Int]] = [:]
    for (mappingIndex, mapping) in mappings.enumerated() where mayNotDouble(mappingIndex) {
      let entities = [mapping.sourceEntityName, mapping.destinationEntityName]
      defer { earlier[entities, default: []].append(mappingIndex) }
      guard let others = earlier[entities], let own = keys(mappingIndex) else { continue }
      for other in others {
        guard let taken = keys(other) else { continue }
        var both = own
        both.formUnion(taken)
        let doubled = own.count + taken.count - both.count
        guard doubled > 0 else { continue }
        throw MigrationError(
          .migration,
          problem: "entity mappings '\(mappings[other].name)' and '\(mapping.name)' both create objects from "
            + "\(doubled.grouped) of the '\(mapping.sourceEntityName ?? "")' objects",
          remedy: "split the objects between them with 'where', or write duplicates=\"intended\"")
      }
    }
  }

  /// False for entity mappings that say so, and for those that come from Xcode, where nothing can say so.
  func mayNotDouble(_ mappingIndex: Int) -> Bool {
    let mapping = mappings[mappingIndex]
    return mapping.sourceEntityName != nil && mapping.destinationEntityName != nil
      && !mapping.description.intendsDuplicates
      && mappingModels[modelIndexes[mappingIndex]].mappingModel.unmentionedEntities == .copied
  }
}
