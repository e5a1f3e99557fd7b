import Heavylift
import HeavyliftStore

/// The sources and the names of a migrated store's objects.
struct ObjectOrigins {
  /// The first provenance record of each destination object.
  private(set) var records: [ManagedObjectID: MigrationProvenance.Record] = [:]
  /// The names of destination objects.
  private(set) var names: [ManagedObjectID: String] = [:]
  let sourceNames: [ManagedObjectID: String]

  init(_ provenance: MigrationProvenance, sourceNames given: [String: ManagedObjectID]) throws {
    sourceNames = Dictionary(given.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var bySource: [ManagedObjectID: [ManagedObjectID]] = [:]
    var order: [ManagedObjectID] = []
    try provenance.forEach { record in
      guard records[record.destination] == nil else { return }
      records[record.destination] = record
      if bySource[record.source] == nil { order.append(record.source) }
      bySource[record.source, default: []].append(record.destination)
    }
    var taken: Set<String> = []
    for source in order {
      guard let name = sourceNames[source], let destinations = bySource[source] else { continue }
      // The last number used for each entity: trying all numbers again for each object would take too long.
      var numbers: [String: Int] = [:]
      for destination in destinations {
        let plain = "\(name).\(destination.entityName)"
        var own = destinations.count == 1 ? name : plain
        while !taken.insert(own).inserted {
          numbers[destination.entityName, default: 1] += 1
          own = "\(plain)\(numbers[destination.entityName, default: 1])"
        }
        names[destination] = own
      }
    }
  }
}
