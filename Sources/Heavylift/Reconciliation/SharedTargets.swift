import HeavyliftModel
import HeavyliftStore

/// Objects that several other objects point to, although the new model allows only one to do so.
struct SharedTargets {
  private static let mostExamples = 3

  /// The number of shared objects, and the number of their links beyond the first.
  private(set) var count = 0
  private(set) var surplus = 0
  /// The first few shared objects, each with the number of objects that point to it.
  private(set) var examples: [(object: String, count: Int)] = []

  /// Counts the shared targets of a source relationship, identified by its canonical end.
  ///
  /// - Parameters:
  ///   - owners: The keys of the migrated owners; `nil` for all.
  ///   - targets: The keys of the migrated targets; `nil` for all.
  ///   - isForward: False to count shared owners instead: those that several targets point to.
  init(
    of end: RelationshipEnd, in store: PersistentStore, from model: ManagedObjectModel, owners: KeySet? = nil,
    targets: KeySet? = nil, isForward: Bool = true
  ) throws {
    var (seen, shared) = (KeySet(), [Int64: Int]())
    try store.forEachLink(ofEntity: end.entity, relationship: end.name) { owner, target in
      guard owners?.contains(owner) != false, targets?.contains(target) != false else { return }
      let key = isForward ? target : owner
      if !seen.insert(key) { shared[key, default: 1] += 1 }
    }
    count = shared.count
    surplus = shared.values.reduce(0) { $0 + $1 - 1 }
    let declared =
      isForward ? model.relationship(end.name, of: end.entity)?.destinationEntityName ?? end.entity : end.entity
    examples = try shared.sorted { $0.key < $1.key }.prefix(Self.mostExamples).map { key, count in
      ("\(try store.entityName(ofKey: key, in: declared) ?? declared)/p\(key)", count)
    }
  }

  /// A summary: `2 objects are shared: Item/p1 by 2 owners, Item/p4 by 3 owners`.
  var text: String {
    let list = examples.map { "\($0.object) by \($0.count) owners" }.joined(separator: ", ")
    let others = count > examples.count ? " and \((count - examples.count).grouped) more" : ""
    return "\(count.grouped) \(count == 1 ? "object is" : "objects are") shared: \(list)\(others)"
  }
}
