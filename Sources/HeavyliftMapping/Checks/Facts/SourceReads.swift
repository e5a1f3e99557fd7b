import HeavyliftExpression
import HeavyliftModel

/// Which properties of source entities a mapping reads, or says what becomes of.
struct SourceReads {
  private struct Key: Hashable {
    /// The entity that declares the property.
    var entity: Int
    var name: String
  }

  private let source: ModelIndex
  private var read: Set<Key> = []
  /// Keys of objects of which it is not known what they are.
  private var looseNames: Set<String> = []
  /// Source entities whose objects are handed to code, which reads what it likes.
  private(set) var handedOver: Set<Int> = []

  init(_ mapping: MappingIndex) {
    source = mapping.source
    for fact in mapping.mappings {
      guard let entity = fact.source else { continue }
      if fact.isCustom || fact.description.sourceExpression != nil { handedOver.insert(entity) }
      if let filter = fact.mapping.filter { filter.visit { look(at: $0, entity) } }
      // Of a property with a misspelt name too: what it reads is read, and the name is told.
      for expression in fact.description.propertyMappings.compactMap(\.source.expression) {
        expression.visit { look(at: $0, entity) }
      }
    }
    for property in mapping.properties {
      guard let entity = property.owner.source else { continue }
      add(property, entity)
    }
  }

  /// Whether anything is said of the property, or of the relationship that leads back.
  func isRead(_ property: PropertyReference, of entity: Int) -> Bool {
    if looseNames.contains(property.name) || isMarked(property.name, of: entity) { return true }
    guard case .relationship(let relationship) = property, let inverse = relationship.inverseName,
      let other = source.entity(named: relationship.destinationEntityName)
    else { return false }
    return isMarked(inverse, of: other)
  }

  private func isMarked(_ name: String, of entity: Int) -> Bool {
    guard let owner = source.property(named: name, of: entity)?.declaredBy else { return false }
    return read.contains(Key(entity: owner, name: name))
  }

  private mutating func mark(_ name: String, of entity: Int) {
    guard let owner = source.property(named: name, of: entity)?.declaredBy else { return }
    read.insert(Key(entity: owner, name: name))
  }

  /// Marks what a destination property was.
  private mutating func mark(_ property: PropertyReference, of entity: Int) {
    mark(property.name, of: entity)
    if let old = property.renamingIdentifier { mark(old, of: entity) }
  }

  private mutating func add(_ property: PropertyMappingFact, _ entity: Int) {
    switch property.complete.origin {
    case .copied(let name), .rebuilt(let name, _): mark(name, of: entity)
    case .written:
      // Who says what a property gets has seen what it was.
      mark(property.property, of: entity)
      guard let expression = property.complete.valueExpression else { return }
      var (objects, bases) = (0, 0)
      expression.visit { part in
        look(at: part, entity)
        switch part.kind {
        case .variable("source"): objects += 1
        case .keyPath(let base, _): if case .variable("source") = base.kind { bases += 1 }
        default: break
        }
      }
      if objects > bases { handedOver.insert(entity) }
    case .unmapped(.incompatible(let name)), .unmapped(.otherKind(let name)), .unmapped(.manyIntoOne(let name)),
      .unmapped(.noFittingMapping(let name)):
      mark(name, of: entity)
    // What is mandatory and missing is told as that.
    case .unmapped(.notListed) where property.attribute.map { !$0.isOptional && $0.defaultValue.isNull } ?? false,
      .unmapped(.written), .unmapped(.severalFittingMappings):
      mark(property.property, of: entity)
    case .unmapped: break
    }
  }

  private mutating func look(at expression: MappingExpression, _ entity: Int) {
    switch expression.kind {
    case .keyPath(let base, let path):
      switch base.kind {
      case .variable("source"), .object: follow(path, from: entity)
      default: looseNames.formUnion(path.names)
      }
    case .call(_, "valueForKey:", let arguments), .call(_, "valueForKeyPath:", let arguments):
      if let text = arguments.first?.writtenText { looseNames.formUnion(text.split(separator: ".").map(String.init)) }
    default: break
    }
  }

  private mutating func follow(_ path: KeyPath, from entity: Int) {
    var current: Int? = entity
    for name in path.names {
      guard let owner = current else {
        looseNames.insert(name)
        continue
      }
      mark(name, of: owner)
      guard case .relationship(let relationship)? = source.property(named: name, of: owner)?.property else {
        current = nil
        continue
      }
      current = source.entity(named: relationship.destinationEntityName)
    }
  }
}

extension PropertyMappingDescription.Source {
  fileprivate var expression: MappingExpression? {
    switch self {
    case .expression(let expression), .related(let expression?, _): expression
    case .automatic, .unmapped, .related(nil, _): nil
    }
  }
}

extension KeyPath {
  fileprivate var names: [String] {
    keys.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }
}
