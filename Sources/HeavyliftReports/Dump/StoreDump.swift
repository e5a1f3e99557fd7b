import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Writes the contents of a store as canonical JSON lines: the same contents yield the same bytes.
///
/// ```swift
/// let store = try PersistentStore(url: url, models: bundle.versions.map(\.model), mode: .readOnly)
/// let counts = try StoreDump(store).write(to: FileSink(.standardOutput))
/// // {"entity":"Book","key":1,"attributes":{"title":"Cosmos"},"relationships":{"author":"Author/p2","tags":["Tag/p7"]}}
/// ```
///
/// Each line is one object, sorted by entity name and key; the entity is the object's own, not a parent. Attributes and
/// relationships are sorted by name and include inherited and null ones; transient ones are not stored and therefore
/// omitted. Names are sorted by UTF-16 code units. Targets of an ordered relationship are in its order, others are
/// sorted by key. The form of a value depends on its attribute's type:
///
/// - integers, doubles and Booleans are JSON numbers and Booleans; doubles have the shortest digits that identify them,
///   and infinities are `"Infinity"` and `"-Infinity"`,
/// - dates are `"2001-01-01T00:00:00.5Z"`, with the digits that yield the same number of seconds, or
///   `{"seconds":1e+300}` if no date with a four-digit year does,
/// - decimals are strings of their digits, UUIDs are strings in upper case, URIs are strings as stored,
/// - data is in Base64, whether it is stored in the row or in a file; transformables are data; data whose external file
///   is missing is `{"missingFile":"00112233-4455-6677-8899-AABBCCDDEEFF"}`,
/// - composites are JSON objects with their elements as members,
/// - a relationship to a missing object is `{"dangling":"Author/p9"}`.
///
/// After the objects come the links that have no owner: `{"danglingLink":{"entity":…}}`.
///
/// Objects are streamed: memory use does not grow with their number, with the number of an object's targets, or with
/// the size of external files.
public struct StoreDump {
  /// Options for a dump.
  public struct Options: Hashable, Sendable {
    /// The entities to dump; nil for all.
    public var entityNames: Set<String>?
    /// A Boolean value that indicates whether the dump starts with a line for the store's identifier, version and
    /// application metadata.
    public var includesMetadata = false
    /// A Boolean value that indicates whether a missing external file stops the dump.
    public var refusesMissingFiles = false

    /// Creates the default options: all objects, without metadata.
    public init() {}
  }

  /// The numbers of objects and dangling links that were written, and the missing files.
  public struct Counts: Hashable, Sendable {
    /// The number of objects by entity; entities without objects have 0.
    public var objects: [String: Int] = [:]
    /// The number of links without an owning object.
    public var danglingLinks = 0
    /// The rows with the number of another entity, in tables that have only one.
    package internal(set) var misnumberedRows: [MisnumberedRows] = []
    /// Values whose external files are missing.
    package var missingFiles: [MissingExternalFile] = []

    /// The total number of objects.
    public var total: Int { objects.values.reduce(0, +) }
  }

  /// The store that is written out.
  public let store: PersistentStore
  /// The parts of the store that are written.
  public var options: Options

  /// Creates a dump of a store.
  public init(_ store: PersistentStore, options: Options = Options()) {
    self.store = store
    self.options = options
  }

  /// Writes the dump, from a consistent snapshot even if other connections change the store meanwhile.
  @discardableResult
  public func write(to sink: any ByteSink) throws -> Counts {
    try store.readingConsistently {
      var writer = JSONWriter(sink)
      var counts = Counts()
      if options.includesMetadata { try writer.metadata(of: store) }
      let entities = store.layout.entitiesInOrderOfName.filter { options.entityNames?.contains($0.name) ?? true }
      try store.refuseUnknownRows(in: entities)
      for entity in entities { try write(entity, to: &writer, &counts) }
      counts.danglingLinks = try writeDanglingLinks(of: entities, to: &writer)
      try writer.flush()
      return counts
    }
  }

  private func write(_ entity: EntityLayout, to writer: inout JSONWriter, _ counts: inout Counts) throws {
    try store.prepareCaches(for: entity)
    let stream = try ObjectStream(entity, in: store, refusesMissingFiles: options.refusesMissingFiles)
    let start =
      JSONText.member("entity", isFirst: true) + JSONText.string(entity.name)
      + JSONText.member("key", isFirst: false)
    let attributes = Self.prepared(stream.attributes)
    let relationships = Self.prepared(stream.relationships)
    var count = 0
    while try stream.next() {
      writer.raw(start)
      writer.integer(stream.key)
      writer.raw(",\"attributes\":")
      try write(attributes, of: stream, to: &writer)
      writer.raw(",\"relationships\":")
      try write(relationships, of: stream, to: &writer)
      writer.raw("}\n")
      try writer.flushIfFull()
      count += 1
    }
    counts.objects[entity.name] = count
    counts.missingFiles += stream.missingFiles
    if let rows = stream.misnumbered { counts.misnumberedRows.append(rows) }
  }

  private func write(
    _ properties: [(prefix: [UInt8], property: ObjectStream.Property)], of stream: ObjectStream,
    to writer: inout JSONWriter
  ) throws {
    if properties.isEmpty { writer.byte(UInt8(ascii: "{")) }
    for (prefix, property) in properties {
      writer.raw(prefix)
      try stream.write(property, to: &writer)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private static func prepared(
    _ properties: [ObjectStream.Property]
  ) -> [(prefix: [UInt8], property: ObjectStream.Property)] {
    properties.enumerated().map { (JSONText.member($0.element.name, isFirst: $0.offset == 0), $0.element) }
  }
}

extension JSONWriter {
  /// Writes a line with the store's metadata, without entries that depend only on the framework that wrote the store.
  mutating func metadata(of store: PersistentStore) throws {
    let metadata = store.metadata
    raw("{\"metadata\":")
    raw(JSONText.member("identifier", isFirst: true))
    try string(metadata.identifier)
    raw(JSONText.member("versionIdentifiers", isFirst: false))
    try list(metadata.versionIdentifiers.sorted { $0.precedesInCodeUnits($1) }) { try $0.string($1) }
    raw(JSONText.member("versionHashes", isFirst: false))
    try object(metadata.versionHashes) { try $0.string($1.hexadecimal) }
    raw(JSONText.member("applicationValues", isFirst: false))
    try object(metadata.applicationValues) { try $0.propertyList($1) }
    raw("}}\n")
  }

  private mutating func propertyList(_ value: PropertyList) throws {
    switch value {
    case .string(let text): try string(text)
    case .integer(let number): integer(number)
    case .real(let number): double(number)
    case .boolean(let flag): bool(flag)
    case .unsigned(let number): raw(String(number))
    case .uid(let index): raw("{\"uid\":\(index)}")
    case .date(let date):
      raw("{\"date\":")
      self.date(date.timeIntervalSinceReferenceDate)
      raw("}")
    case .data(let bytes):
      raw("{\"data\":")
      try bytes.withUnsafeBytes { try data($0) }
      raw("}")
    case .array(let elements): try list(elements) { try $0.propertyList($1) }
    case .dictionary(let entries): try object(entries) { try $0.propertyList($1) }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws {
    raw("[")
    for (offset, element) in elements.enumerated() {
      if offset > 0 { raw(",") }
      try write(&self, element)
    }
    raw("]")
  }

  private mutating func object<Element>(
    _ members: [String: Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws {
    raw("{")
    for (offset, member) in members.sorted(by: { $0.key.precedesInCodeUnits($1.key) }).enumerated() {
      if offset > 0 { raw(",") }
      try string(member.key)
      raw(":")
      try write(&self, member.value)
    }
    raw("}")
  }
}

extension StoreDump {
  /// Writes the links whose owner is missing: no object's line lists them.
  ///
  /// They are in join tables, and in rows that name an owner in a to-many without an inverse. A link in a join table
  /// has an owner on each side; only the side that writes the table is checked.
  func writeDanglingLinks(of entities: [EntityLayout], to writer: inout JSONWriter) throws -> Int {
    var count = 0
    var seen: Set<String> = []
    // Parents come first: they declare the properties that their sub-entities inherit.
    for entity in entities.sorted(by: { $0.number < $1.number }) {
      for storage in entity.toManys
      where storage.kind == .joinTable ? storage.writesLinks : store.layout.hasImpliedInverse(storage) {
        // All sub-entities share the links of an inherited relationship.
        guard seen.insert("\(storage.tableName).\(storage.ownerColumn)").inserted else { continue }
        count += try write(danglingLinks: storage, of: entity, to: &writer)
      }
    }
    return count
  }

  private func write(
    danglingLinks storage: ToManyStorage, of entity: EntityLayout, to writer: inout JSONWriter
  ) throws -> Int {
    let owner = storage.ownerColumn.asSQLIdentifier
    var cursor = try store.database.prepare(
      "SELECT \(owner), \(storage.targetColumn.asSQLIdentifier) FROM \(storage.tableName.asSQLIdentifier) l "
        + "WHERE \(storage.kind == .joinTable ? "" : "\(owner) IS NOT NULL AND ")NOT EXISTS (SELECT 1 FROM \(entity.tableName.asSQLIdentifier) WHERE Z_PK = l.\(owner)) ORDER BY 1, 2"
    ).query()
    var count = 0
    while try cursor.next() {
      writer.raw("{\"danglingLink\":")
      writer.raw(JSONText.member("entity", isFirst: true))
      try writer.string(entity.name)
      writer.raw(JSONText.member("relationship", isFirst: false))
      try writer.string(storage.name)
      for (column, name) in ["owner", "target"].enumerated() {
        writer.raw(JSONText.member(name, isFirst: false))
        cursor.row.isNull(at: column) ? writer.null() : writer.integer(cursor.row.integer(at: column))
      }
      writer.raw("}}\n")
      try writer.flushIfFull()
      count += 1
    }
    return count
  }
}
