import HeavyliftModel
import HeavyliftSQLite

/// Writes what a store holds as canonical JSON lines: the same content gives the same bytes.
///
/// ```swift
/// let store = try PersistentStore(url: url, models: bundle.versions.map(\.model), mode: .readOnly)
/// let counts = try StoreDump(store).write(to: FileSink(.standardOutput))
/// // {"entity":"Book","key":1,"attributes":{"title":"Cosmos"},"relationships":{"author":"Author/p2","tags":["Tag/p7"]}}
/// ```
///
/// An object a line, in order of entity name and key; the entity is the one that the object is an instance of. Attributes
/// and relationships stand in order of name, inherited and null ones too; transient ones are not stored and not told.
/// Names are ordered by UTF-16 code units. Targets of an ordered relationship are in its order, others in order of their
/// keys. Values have their attribute's type:
///
/// - integers, doubles and Booleans are JSON's, doubles in the shortest digits that lead back to them; infinities are
///   `"Infinity"` and `"-Infinity"`,
/// - dates are `"2001-01-01T00:00:00.5Z"`, with the digits that lead back to the same number of seconds, or
///   `{"seconds":1e+300}` where no date with a year of four digits does,
/// - decimals are strings of their digits, UUIDs strings in upper case, URIs strings as they are stored,
/// - data is base64, wherever it is stored; a transformable is data; data whose external file is gone is
///   `{"missingFile":"00112233-4455-6677-8899-AABBCCDDEEFF"}`,
/// - composites are objects of their elements,
/// - a relationship that leads to an object that is not there is `{"dangling":"Author/p9"}`.
///
/// After the objects come the links in join tables that nobody owns: `{"danglingLink":{"entity":…}}`.
///
/// Objects are streamed: memory does not grow with their number, nor with the number of an object's targets, nor with
/// the size of external files.
public struct StoreDump {
  /// What is written.
  public struct Options: Hashable, Sendable {
    /// The entities whose objects are written; nil for all.
    public var entityNames: Set<String>?
    /// Whether a first line tells the store's identifier, its version, and what the application put into its metadata.
    public var includesMetadata = false
    /// Whether a value whose external file is gone stops the dump.
    public var refusesMissingFiles = false

    /// Creates options: all objects and nothing else.
    public init() {}
  }

  /// What was written.
  public struct Counts: Hashable, Sendable {
    /// By entity; entities without an object have 0.
    public var objects: [String: Int] = [:]
    /// Links that lead from no object.
    public var danglingLinks = 0
    /// Values whose external files are gone.
    public var missingFiles: [MissingExternalFile] = []

    /// All objects.
    public var total: Int { objects.values.reduce(0, +) }
  }

  public let store: PersistentStore
  public var options: Options

  /// Prepares a dump of a store.
  public init(_ store: PersistentStore, options: Options = Options()) {
    self.store = store
    self.options = options
  }

  /// Writes the dump, of one state of the store whoever else changes it meanwhile.
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
