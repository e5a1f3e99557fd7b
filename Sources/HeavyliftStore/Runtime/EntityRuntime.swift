import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// An entity prepared for use by many objects: properties by slot number, and SQL statements as text.
///
/// Inherited properties come first, in the parent's order, so that a slot number means the same property throughout a
/// hierarchy.
final class EntityRuntime {
  // Classes, because a loop over structs would copy every string of the properties' descriptions.
  final class Attribute {
    let description: AttributeDescription
    /// Nil for a transient attribute, which has a value but no column.
    let column: AttributeColumn?
    let validator: AttributeValidator
    let type: AttributeType
    /// True if the value is computed from other values.
    let isDerived: Bool

    init(_ description: AttributeDescription, column: AttributeColumn?, mayBeNil: Bool) {
      self.description = description
      self.column = column
      validator = AttributeValidator(description, mayBeNil: mayBeNil)
      type = description.type
      isDerived = description.isRecomputed
    }
  }

  final class ToOne {
    let description: RelationshipDescription
    /// Nil for a transient relationship.
    let column: ToOneColumn?
    /// The destination's index in the store's entities.
    let destination: Int
    /// The inverse's slot in the destination entity.
    var inverse: Slot?

    init(_ description: RelationshipDescription, column: ToOneColumn?, destination: Int) {
      self.description = description
      self.column = column
      self.destination = destination
    }
  }

  final class ToMany {
    let description: RelationshipDescription
    /// Nil for a transient relationship.
    let storage: ToManyStorage?
    let destination: Int
    var inverse: Slot?
    /// SQL that reads the keys of one owner's targets.
    private(set) lazy var targetsSQL = storage?.targetsSQL ?? ""

    init(_ description: RelationshipDescription, storage: ToManyStorage?, destination: Int) {
      self.description = description
      self.storage = storage
      self.destination = destination
    }
  }

  enum Slot: Hashable {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
  }

  let description: EntityDescription
  let layout: EntityLayout
  /// The entity's own index in the store's entities.
  let index: Int
  /// `Z_ENT` of the hierarchy's root.
  let rootNumber: Int
  let hasSubentities: Bool
  let model: ManagedObjectModel
  let attributes: [Attribute]
  let toOnes: [ToOne]
  let toManys: [ToMany]
  let slots: [String: Slot]
  /// Implied to-one relationships that lead back to the owner of a to-many relationship without an inverse. They are
  /// not accessible by key.
  private let impliedSlots: [String: Slot]
  /// The destination entities outside the store's configuration, by the names of the relationships that lead to them.
  let targetsElsewhere: [String: String]
  /// The default values of a new object.
  let defaults: [Value]
  /// The slots of the attributes that may have invalid values.
  private(set) lazy var checkedAttributes = attributes.indices.filter { !attributes[$0].validator.acceptsEverything }

  /// The identities of this entity's ancestors as owners of slots; see `shapeOwner`.
  var ancestors: Set<ObjectIdentifier> = []
  /// The identity of this entity as the owner of its slots.
  var shapeOwner: ObjectIdentifier { ObjectIdentifier(self) }

  var name: String { description.name }
  var isAbstract: Bool { description.isAbstract }

  init(
    _ description: EntityDescription, layout: EntityLayout, index: Int, lineage: [EntityDescription],
    destinations: [String: Int], model: ManagedObjectModel
  ) {
    self.description = description
    self.layout = layout
    self.index = index
    self.model = model
    rootNumber = layout.rootNumber
    hasSubentities = layout.numbersWithSubentities.count > 1
    var (attributes, defaults) = ([Attribute](), [Value]())
    var (toOnes, toManys) = ([ToOne](), [ToMany]())
    var (slots, impliedSlots) = ([String: Slot](), [String: Slot]())
    var targetsElsewhere: [String: String] = [:]
    for declaring in lineage.reversed() {
      for attribute in declaring.attributes where slots[attribute.name] == nil {
        slots[attribute.name] = .attribute(attributes.count)
        attributes.append(
          Attribute(
            attribute, column: layout.attributes.first { $0.name == attribute.name },
            mayBeNil: model.mayBeNil(attribute)))
        defaults.append(attribute.defaultValue.converted(to: attribute.type) ?? .null)
      }
      for relationship in declaring.relationships {
        let name = relationship.name
        if Self.relationshipSlot(named: name, slots, impliedSlots) != nil { continue }
        guard let destination = relationship.destinationEntityName.flatMap({ destinations[$0] }) else {
          targetsElsewhere[name] = relationship.destinationEntityName
          continue
        }
        if relationship.isImplied {
          impliedSlots[name] = .toOne(toOnes.count)
          toOnes.append(ToOne(relationship, column: layout.toOne(named: name), destination: destination))
        } else if relationship.isToMany {
          slots[name] = .toMany(toManys.count)
          let storage = layout.toManys.first { $0.name == name }
          toManys.append(ToMany(relationship, storage: storage, destination: destination))
        } else {
          slots[name] = .toOne(toOnes.count)
          let column = layout.toOnes.first { $0.name == name }
          toOnes.append(ToOne(relationship, column: column, destination: destination))
        }
      }
    }
    (self.attributes, self.defaults, self.toOnes, self.toManys) = (attributes, defaults, toOnes, toManys)
    (self.slots, self.impliedSlots, self.targetsElsewhere) = (slots, impliedSlots, targetsElsewhere)
  }

  /// The slot of a relationship, including implied inverses.
  func relationshipSlot(named name: String) -> Slot? { Self.relationshipSlot(named: name, slots, impliedSlots) }

  private static func relationshipSlot(
    named name: String, _ slots: [String: Slot], _ impliedSlots: [String: Slot]
  ) -> Slot? {
    let slot = slots[name] ?? impliedSlots[name]
    if case .attribute = slot { return nil }
    return slot
  }

  /// The names of all properties, for suggestions.
  var propertyNames: [String] { slots.keys.sorted() }

  /// The initial values of objects, which share this memory until they change it.
  private(set) lazy var noValues = zip(attributes, defaults).map { attribute, value in
    // No row has a value of a transient attribute. Without its default, an object could not be saved if it is mandatory.
    attribute.description.isTransient ? value : .null
  }
  private(set) lazy var noTargets = [Int64](repeating: 0, count: toOnes.count)
  private(set) lazy var unreadTargets = [ToManyContents](repeating: ToManyContents(), count: toManys.count)
  private(set) lazy var emptyTargets = [ToManyContents](repeating: .empty, count: toManys.count)

  /// The slots of attributes whose values may be large.
  private(set) lazy var heavySlots = attributes.indices.filter { attributes[$0].type.mayBeBig }

  /// The slots of attributes that have values but no columns.
  private(set) lazy var transientSlots = attributes.indices.filter { attributes[$0].column == nil }

  /// The stored columns of an object, in the order in which rows are read and written.
  private(set) lazy var columns = RowColumns(self)

  /// The rules for the entity's rows.
  private(set) lazy var rules = Rule.rules(of: self, in: model)
}

/// The columns of an entity's row in reading order, and the statements that use them.
struct RowColumns {
  /// An attribute's slot and its columns; a composite has several.
  struct AttributeColumns {
    let slot: Int
    let column: AttributeColumn
  }

  let attributes: [AttributeColumns]
  let toOnes: [(slot: Int, column: ToOneColumn)]
  /// Column names, starting with `Z_PK`, `Z_ENT` and `Z_OPT`.
  let names: [String]
  let selectByKey: String
  let insert: String

  init(_ entity: EntityRuntime) {
    attributes = entity.attributes.enumerated().compactMap { slot, attribute in
      attribute.column.map { AttributeColumns(slot: slot, column: $0) }
    }
    toOnes = entity.toOnes.enumerated().compactMap { slot, toOne in toOne.column.map { (slot, $0) } }
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    for attribute in attributes { names += attribute.column.leafColumns }
    for (_, column) in toOnes { names += column.columns }
    self.names = names
    let table = SQLName(entity.layout.tableName)
    let list = names.map { SQLName($0).description }.joined(separator: ", ")
    let values = names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    selectByKey = "SELECT \(values) FROM \(table) WHERE Z_PK = ?"
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
  }
}

/// The slots of the properties of each entity in a store, by key.
final class StoreShapes: Sendable {
  /// The kind of property that a key names, with its slot.
  enum Key: Hashable, Sendable {
    case attribute(Int)
    case toOne(Int, destination: Int)
    case toMany(Int)
  }

  /// The identity and the keys of each entity, by its index.
  let entities: [(owner: ObjectIdentifier, keys: [String: (number: Int, key: Key)])]

  init(_ entities: [EntityRuntime]) {
    self.entities = entities.map { entity in
      var keys: [String: (number: Int, key: Key)] = [:]
      for (name, slot) in entity.slots {
        switch slot {
        case .attribute(let slot): keys[name] = (slot << 2, .attribute(slot))
        case .toOne(let slot):
          keys[name] = (slot << 2 | 1, .toOne(slot, destination: entity.toOnes[slot].destination))
        case .toMany(let slot): keys[name] = (slot << 2 | 2, .toMany(slot))
        }
      }
      return (ObjectIdentifier(entity), keys)
    }
  }
}

/// The shape of an entity's objects.
struct EntityShape: ExpressionObjectShape {
  private let shapes: StoreShapes
  private let index: Int

  init(_ shapes: StoreShapes, index: Int) {
    self.shapes = shapes
    self.index = index
  }

  func slot(forKey key: String) -> ExpressionSlot? {
    let entity = shapes.entities[index]
    return entity.keys[key].map { ExpressionSlot(owner: entity.owner, number: $0.number) }
  }

  func shape(forKey key: String) -> (any ExpressionObjectShape)? {
    guard case .toOne(_, let destination)? = shapes.entities[index].keys[key]?.key else { return nil }
    return EntityShape(shapes, index: destination)
  }
}
