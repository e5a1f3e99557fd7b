import HeavyliftExpression
import HeavyliftModel
import HeavyliftStore

/// The keys of the objects of source entities that match a filter, each set read once.
///
/// Which of them a policy migrates is not known.
package final class SourceKeys {
  private struct Question: Hashable {
    var entity: String
    var filter: MappingPredicate.Kind?
  }

  private let stores: MappedStores
  private var answers: [Question: KeySet] = [:]

  package init(_ stores: MappedStores) { self.stores = stores }

  private func question(_ mappingIndex: Int) -> Question? {
    let mapping = stores.mappings[mappingIndex]
    return mapping.sourceEntityName.map { Question(entity: $0, filter: mapping.filter?.kind) }
  }

  /// Notes keys that a survey has read.
  func note(_ keys: KeySet, takenBy mappingIndex: Int) {
    if let question = question(mappingIndex) { answers[question] = keys }
  }

  /// Returns the keys of the objects that an entity mapping takes, if they were read, for this or for another one.
  package func known(_ mappingIndex: Int) -> KeySet? {
    if stores.mappings[mappingIndex].description.sourceExpression != nil { return nil }
    return question(mappingIndex).flatMap { answers[$0] }
  }

  /// Returns the keys of all objects of an entity.
  func all(ofEntity name: String) throws -> KeySet {
    try answer(Question(entity: name, filter: nil)) {
      var keys = KeySet()
      try stores.sourceStore.forEachKey(ofEntity: name) { keys.insert($0) }
      return keys
    }
  }

  /// Returns the keys of the objects that an entity mapping takes; all of the entity if a source expression selects them.
  package func taken(by mappingIndex: Int) throws -> KeySet {
    guard let question = question(mappingIndex) else { return KeySet() }
    if question.filter == nil { return try all(ofEntity: question.entity) }
    return try answer(question) { try matchingBySQL(mappingIndex) ?? matchingObjects(mappingIndex, question.entity) }
  }

  private func answer(_ question: Question, _ read: () throws -> KeySet) throws -> KeySet {
    if let known = answers[question] { return known }
    let keys = try read()
    answers[question] = keys
    return keys
  }

  /// Returns nil if SQL cannot evaluate the filter, or if it fails for an object.
  private func matchingBySQL(_ mappingIndex: Int) -> KeySet? {
    guard let rows = try? stores.rowsAlone(of: mappingIndex) else { return nil }
    var keys = KeySet()
    do {
      try stores.sourceStore.forEachSourceKey(of: rows) { keys.insert($0) }
      return keys
    } catch {
      return nil
    }
  }

  private func matchingObjects(_ mappingIndex: Int, _ entity: String) throws -> KeySet {
    var keys = KeySet()
    var request = FetchRequest(entityName: entity)
    request.includesSubentities = false
    request.predicate = stores.mappings[mappingIndex].filter
    try stores.evaluatingFilter(of: stores.mappings[mappingIndex].name) {
      try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
    }
    return keys
  }
}
