import HeavyliftModel

/// The numbers that identify entities in a store's rows (`Z_ENT`).
///
/// Counted from 1, depth first: root entities in case-insensitive alphabetical order, each directly followed by its
/// sub-entities in the same order.
public struct EntityNumbers: Hashable, Sendable {
  private var numbers: [String: Int]
  /// Entity names, sorted by number.
  public let names: [String]

  /// Numbers the entities of a model as Core Data does for a new store.
  public init(model: ManagedObjectModel) {
    var subentities: [String?: [String]] = [:]
    let known = Set(model.entities.map(\.name))
    for entity in model.entities {
      let parent = entity.superentityName.flatMap { known.contains($0) && $0 != entity.name ? $0 : nil }
      subentities[parent, default: []].append(entity.name)
    }
    var ordered: [String] = []
    var pending = subentities[nil, default: []].sorted(by: Self.precedes).reversed().map(\.self)
    while let name = pending.popLast() {
      ordered.append(name)
      pending.append(contentsOf: subentities[name, default: []].sorted(by: Self.precedes).reversed())
    }
    self.init(ordered.enumerated().map { ($0.element, $0.offset + 1) })
  }

  /// Creates the numbers of an existing store.
  public init(_ pairs: [(name: String, number: Int)]) {
    numbers = Dictionary(pairs.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    names = pairs.sorted { $0.number < $1.number }.map(\.name)
  }

  /// The number of the entity; nil if the store does not have it.
  public subscript(name: String) -> Int? { numbers[name] }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    let (lowerLeft, lowerRight) = (left.lowercased(), right.lowercased())
    return lowerLeft == lowerRight ? left.precedesInCodeUnits(right) : lowerLeft.precedesInCodeUnits(lowerRight)
  }
}
