import HeavyliftMapping
import HeavyliftModel

extension [ManagedObjectModel] {
  /// Returns the index of the version that drops the fewest entities and properties of another model; if there are
  /// several such versions, the last one that differs the least.
  func indexOfNearest(to model: ManagedObjectModel) -> Int? {
    let own = ModelReference(fingerprints: model.fingerprints)
    let ranks = indices.map { place -> (place: Int, lost: Int, changed: Int) in
      let changes = own.changes(in: self[place])
      let lost = changes.count { change in
        switch change {
        case .entityRemoved, .propertyRemoved: true
        default: false
        }
      }
      return (place, lost, changes.count)
    }
    return ranks.min { ($0.lost, $0.changed, $1.place) < ($1.lost, $1.changed, $0.place) }?.place
  }
}
