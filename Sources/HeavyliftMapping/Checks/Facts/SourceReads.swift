import HeavyliftExpression
import HeavyliftModel

/// The properties of source entities that a mapping reads or explicitly handles.
struct SourceReads: Sendable {
  private struct Key: Hashable, Sendable {
    /// The entity that declares the property; in `readers`, the source entity.
    var entity: Int
    var name: String
  }

  /// A read from objects other than the entity mapping's own source objects.
  struct Visit: Hashable, Sendable {
    var reader: Int
    /// The expression for the objects.
    var objects: MappingExpression
  }

  private let source: ModelIndex
  private let countsTests: Bool
  /// All properties that are read, by their declaring entity. Of a composite, the elements that are read are included.
  private var read: Set<Key> = []
  /// Properties that are read from objects other than a mapping's own source objects.
  private var followed: Set<Key> = []
  /// Those that are read from fetched objects, or from others that are not found through the source object.
  private var found: Set<Key> = []
  /// The reads of a property from objects other than the readers' own, by the entity that declares the property.
  private var visits: [Key: Set<Visit>] = [:]
  /// The entity mappings that read a property of their own source objects, by source entity and property.
  private var readers: [Key: Set<Int>] = [:]
  /// Composites of which elements are read on their own, by their declaring entity.
  private var readByElement: Set<Key> = []
  /// Keys that are read from objects of unknown entities.
  private var looseNames: Set<String> = []
  /// Source entities whose objects are passed to code, which may read any property.
  private(set) var handedOver: Set<Int> = []
  /// Those whose objects are passed to functions.
  private(set) var handedToFunctions: Set<Int> = []
  /// True if values are read only to test them.
  private(set) var hasTests = false

  /// - Parameter countsTests: False to count only reads whose values end up in the destination.
  init(_ facts: MappingFacts, countsTests: Bool = true) {
    (source, self.countsTests) = (facts.source, countsTests)
    for fact in facts.mappings {
      guard let entity = fact.source else { continue }
      if fact.isCustom { handedOver.insert(entity) }
      if let expression = fact.description.sourceExpression {
        add(ObjectReads(ofSourceExpression: expression, entity, source), fact.number)
      }
      if let filter = fact.mapping.filter { add(ObjectReads(of: filter, entity, source), fact.number) }
      // Includes properties with misspelled names: their expressions read the source, and the name is reported
      // separately. The value of a property that is not stored goes nowhere.
      for property in fact.description.propertyMappings
      where fact.destinationProperties[property.name]?.isWritable != false {
        if let expression = property.source.expression { add(ObjectReads(of: expression, entity, source), fact.number) }
      }
    }
    // An inferred mapping has no author who could have considered anything.
    let hasAuthor = !facts.mappingModel.isInferred
    var origins: [Int: [String: String]] = [:]
    for property in facts.properties where property.property.isWritable {
      guard let entity = property.owner.source else { continue }
      var considered: String?
      if hasAuthor, property.mayBeConsidered {
        let fact = property.owner
        let known = origins[fact.number] ?? facts.origins(of: fact)
        origins[fact.number] = known
        considered = known[property.property.name].flatMap {
          facts.drops.contains($0, ofEntityOrAncestor: entity) ? nil : $0
        }
      }
      add(property, entity, considered: considered)
    }
  }

  /// Returns the parts of a property whose values can be lost on their own: the elements of a composite of which single
  /// elements are read, sorted by name, or else the property itself.
  func parts(of property: PropertyReference, entity: Int) -> [PropertyReference] {
    guard isKey(property.name, of: entity, in: readByElement) else { return [property] }
    return source.storedElements(of: property).sorted { $0.name < $1.name }
  }

  /// The indexes of the entity mappings that read a property of their own source objects or explicitly handle it.
  func readers(of property: PropertyReference, entity: Int) -> Set<Int> {
    readers[Key(entity: entity, name: property.name)] ?? []
  }

  /// Returns true if the mapping reads or handles the property in the entity's own objects, or the property's inverse.
  func isRead(_ property: PropertyReference, of entity: Int) -> Bool {
    isReadByOthers(property, of: entity) || !readers(of: property, entity: entity).isEmpty
  }

  /// Returns true if an entity mapping reads the same inherited property from objects of another entity.
  func isReadElsewhere(_ property: PropertyReference, of entity: Int) -> Bool { isMarked(property.name, of: entity) }

  /// Returns true if anything other than an entity mapping of the entity's own objects may read the property.
  func isReadByOthers(_ property: PropertyReference, of entity: Int) -> Bool {
    isKey(property.name, of: entity, in: followed) || isReadByAnything(property, of: entity)
  }

  /// Returns true if anything other than an entity mapping of the entity's own objects may read the property from all of
  /// the objects.
  func isWhollyReadByOthers(_ property: PropertyReference, of entity: Int) -> Bool {
    isKey(property.name, of: entity, in: found) || isReadByAnything(property, of: entity)
  }

  /// The entity mappings that read the property from objects other than their own source objects, with the expression
  /// for these objects. The value of any other object is not read.
  func visits(of property: PropertyReference, entity: Int) -> Set<Visit> {
    guard let owner = owner(of: property.name, entity) else { return [] }
    return visits[Key(entity: owner, name: property.name)] ?? []
  }

  private func isReadByAnything(_ property: PropertyReference, of entity: Int) -> Bool {
    if looseNames.contains(property.name) { return true }
    guard case .relationship(let relationship) = property, let inverse = source.model.inverse(of: relationship)?.name,
      let other = source.entity(named: relationship.destinationEntityName)
    else { return false }
    return isMarked(inverse, of: other)
  }

  private func isMarked(_ name: String, of entity: Int) -> Bool { isKey(name, of: entity, in: read) }

  private func isKey(_ name: String, of entity: Int, in keys: Set<Key>) -> Bool {
    guard let owner = owner(of: name, entity) else { return false }
    return keys.contains(Key(entity: owner, name: name))
  }

  /// - Parameter reader: The entity mapping whose source objects have the property; nil if the property belongs to
  ///   other objects.
  private mutating func mark(_ name: String, of entity: Int, by reader: Int?) {
    guard let owner = owner(of: name, entity) else { return }
    for name in names(readWith: name, of: entity) {
      read.insert(Key(entity: owner, name: name))
      if let reader {
        readers[Key(entity: entity, name: name), default: []].insert(reader)
      } else {
        followed.insert(Key(entity: owner, name: name))
      }
    }
    if name.contains(".") { readByElement.insert(Key(entity: owner, name: name.attributeOfPath)) }
  }

  /// The entity that declares the property, or the composite whose element a path names.
  private func owner(of name: String, _ entity: Int) -> Int? {
    source.property(named: name.attributeOfPath, of: entity)?.declaredBy
  }

  /// Returns the names of a property and of the elements that are read along with it; for the path of an element, those
  /// of its composite and of everything inside the element.
  private func names(readWith name: String, of entity: Int) -> [String] {
    guard let property = source.property(named: name.attributeOfPath, of: entity)?.property else { return [name] }
    let elements = source.storedElements(of: property).map(\.name)
    return [property.name] + elements.filter { name == property.name || $0 == name || $0.hasPrefix(name + ".") }
  }

  /// - Parameter considered: The source property that the author has considered by mentioning the destination property.
  private mutating func add(_ property: PropertyMappingFact, _ entity: Int, considered: String?) {
    let reader = property.owner.number
    if let considered { mark(considered, of: entity, by: reader) }
    switch property.complete.origin {
    case .copied(let name), .rebuilt(let name, _): mark(name, of: entity, by: reader)
    case .written:
      if let expression = property.complete.valueExpression { add(ObjectReads(of: expression, entity, source), reader) }
    case .unmapped(.incompatible(let name)), .unmapped(.otherKind(let name)), .unmapped(.manyIntoOne(let name)),
      .unmapped(.noFittingMapping(let name)):
      mark(name, of: entity, by: reader)
    case .unmapped: break
    }
  }

  private mutating func add(_ reads: ObjectReads, _ reader: Int) {
    if !hasTests, reads.properties.contains(where: \.isTest) { hasTests = true }
    for read in reads.properties where countsTests || !read.isTest {
      mark(read.name, of: read.entity, by: read.isOwn ? reader : nil)
      guard !read.isOwn, let owner = owner(of: read.name, read.entity) else { continue }
      let objects = read.objects.flatMap { $0.startsAtSource ? $0 : nil }
      for key in names(readWith: read.name, of: read.entity).map({ Key(entity: owner, name: $0) }) {
        if let objects {
          visits[key, default: []].insert(Visit(reader: reader, objects: objects))
        } else {
          found.insert(key)
        }
      }
    }
    looseNames.formUnion(reads.looseNames)
    if reads.isHandedOver {
      handedOver.insert(reads.entity)
      handedToFunctions.insert(reads.entity)
    }
  }
}

extension PropertyMappingDescription.Source {
  var expression: MappingExpression? {
    switch self {
    case .expression(let expression), .related(let expression?, _): expression
    case .automatic, .unmapped, .related(nil, _): nil
    }
  }
}

extension MappingExpression {
  /// True if the source object is the only variable of the expression, so that it gives objects that links lead to.
  fileprivate var startsAtSource: Bool {
    var (hasSource, hasOther) = (false, false)
    visit { part in
      switch part.kind {
      case .variable("source"): hasSource = true
      case .fetch: hasOther = true
      default: break
      }
    }
    return hasSource && !hasOther
  }
}

extension String {
  /// The first key of a path such as `address.city`; the string itself if it is not a path.
  fileprivate var attributeOfPath: String { prefix { $0 != "." }.description }
}

extension PropertyMappingFact {
  /// True if the property's source counterpart counts as considered: an author who gives the property a value, or none
  /// on purpose, has thought of it.
  fileprivate var mayBeConsidered: Bool {
    switch complete.origin {
    case .written, .unmapped(.written), .unmapped(.severalFittingMappings): true
    // Another rule reports a missing mandatory value.
    case .unmapped(.notListed): attribute.map { !$0.isOptional && $0.defaultValue.isNull } ?? false
    default: false
    }
  }
}

extension MappingFacts {
  /// The source counterpart of each destination property of an entity mapping, by name.
  fileprivate func origins(of fact: EntityMappingFact) -> [String: String] {
    guard let (old, new) = fact.entities else { return [:] }
    let (olds, news) = (source.properties(of: old), destination.properties(of: new))
    guard copying(fact) == .everything else {
      return Dictionary(olds.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
    var origins: [String: String] = [:]
    for case (let old?, let new?) in pair.match(old, new).pairs {
      origins[news[new].name] = olds[old].name
    }
    return origins
  }
}
