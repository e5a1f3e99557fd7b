import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// An estimate of the space that a migration needs on the disk of its new store.
struct NeededSpace {
  let plan: IncrementalMigrationPlan
  /// The path of the new store, which may be that of the old one.
  let target: URL
  let writesProvenance: Bool
  /// True if large values cannot be shared with the old store.
  private(set) var copiesLargeValues: Bool
  private let files: FileOperations

  init(
    _ plan: IncrementalMigrationPlan, at target: URL, _ options: IncrementalMigrationOptions, _ files: FileOperations
  ) {
    (self.plan, self.target, self.files) = (plan, target, files)
    writesProvenance = options.provenance != nil
    func disk(_ folder: URL) -> UInt64? { (try? FileIdentity(folder, followingLink: true))??.device }
    let values = disk(ExternalDataFolder(store: plan.store).url)
    copiesLargeValues = values != nil && values != disk(target.deletingLastPathComponent())
  }

  /// The free space; `nil` if it cannot be determined.
  var available: Int64? { try? files.availableBytes(at: target.deletingLastPathComponent()) }

  /// The number of bytes that the migration needs.
  var bytes: Int64 {
    // The hop that needs a folder that cannot be read reports it.
    let (size, values) = (plan.storeBytes, (try? ExternalDataFolder(store: plan.store).totalBytes()) ?? 0)
    let copied = copiesLargeValues ? values : 0
    if plan.isCurrent { return size + copied }
    // Up to two stores exist next to the old one at a time, and a new version may be somewhat larger.
    let stores: Int64 = plan.hops.count > 1 ? 2 : 1
    let copies: Int64 = plan.hops.contains { $0.handlers.contains(.willMigrate) } ? 1 : 0
    // The provenance has one row for each object, and two indexes: if the objects are small, it takes as much space as
    // the store.
    return size * (copies + stores + (writesProvenance ? 1 : 0)) + size / 4 + 1 << 20
      // Stores on the same disk share the values, unless it has no hard links.
      + copied + (values > 0 ? (try? embeddedBytes()) ?? values : 0) * stores
  }

  /// Finds out if the disk, on which a folder of this migration exists, supports hard links. Only trying shows that.
  mutating func tryLinking(in folder: URL) throws {
    let values = ExternalDataFolder(store: plan.store)
    guard !copiesLargeValues, let name = try? values.fileNames().first else { return }
    let trial = folder.appending(path: "link")
    do {
      try files.link(values.url.resolvingLinks.appending(path: name), to: trial)
    } catch {
      // The hop reports other errors.
      copiesLargeValues = (error as? POSIXError)?.meansNoLinks == true
    }
    try files.remove(trial)
  }

  // MARK: Values that move into the store's file

  private struct Attribute: Hashable {
    var entity: String
    var name: String
  }

  /// The size of the large values that a later version does not keep in files.
  private func embeddedBytes() throws -> Int64 {
    let embedded = embeddedAttributes()
    guard !embedded.isEmpty else { return 0 }
    let file = try StoreFile(url: plan.store, mode: .readOnly)
    defer { try? file.close() }
    let layout = try file.layout(of: plan.version, configuration: plan.configuration)
    let values = ExternalDataFolder(store: plan.store)
    var bytes: Int64 = 0
    for attribute in embedded {
      guard let entity = layout.entity(named: attribute.entity),
        let column = entity.attributes.first(where: { $0.name == attribute.name })?.column
      else { continue }
      let names = try StoreFamily.references(
        in: file.database, column, of: entity.tableName, where: "Z_ENT = \(entity.number)")
      bytes += try names.reduce(0) { try $0 + values.size(of: $1) }
    }
    return bytes
  }

  /// The attributes of the store's version whose values reach an attribute without external storage.
  private func embeddedAttributes() -> Set<Attribute> {
    var origins: [Attribute: Set<Attribute>] = [:]
    for entity in plan.version.entities {
      for attribute in plan.version.allAttributes(of: entity) where attribute.mayBeExternal {
        let attribute = Attribute(entity: entity.name, name: attribute.name)
        origins[attribute] = [attribute]
      }
    }
    var embedded: Set<Attribute> = []
    for hop in plan.hops where !origins.isEmpty {
      var next: [Attribute: Set<Attribute>] = [:]
      let complete = hop.completedMappings
      for mapping in complete.flatMap(\.entityMappings) {
        guard let source = mapping.sourceEntityName, let name = mapping.destinationEntityName,
          let entity = hop.destinationModel.entity(named: name)
        else { continue }
        for attribute in hop.destinationModel.allAttributes(of: entity) {
          let keys = mapping.propertyMapping(named: attribute.name)?.valueExpression?.lastSourceKeys ?? []
          let found = Set(keys.flatMap { origins[Attribute(entity: source, name: $0)] ?? [] })
          if attribute.mayBeExternal {
            next[Attribute(entity: name, name: attribute.name), default: []].formUnion(found)
          } else {
            embedded.formUnion(found)
          }
        }
      }
      origins = next
    }
    return embedded
  }
}

extension AttributeDescription {
  fileprivate var mayBeExternal: Bool {
    allowsExternalBinaryDataStorage && (type == .binaryData || type == .transformable)
  }
}

extension ExternalDataFolder {
  /// The size of all values.
  func totalBytes() throws -> Int64 { try fileNames().reduce(0) { try $0 + size(of: $1) } }

  /// The size of a value; 0 if its file is missing.
  func size(of name: String) throws -> Int64 { try FileIdentity(file(named: name), followingLink: true)?.size ?? 0 }
}

/// The paths at which a migration will create files, checked before it starts.
///
/// A file that could not be created at the end is reported at the start, not hours later.
struct MigrationPlaces {
  let store: URL
  /// The path of the new store, which may be that of the old one.
  let target: URL
  let backup: URL?
  /// The path of the provenance file.
  var provenance: URL?
  let files: FileOperations

  /// Returns errors for folders that are missing or not writable, and for disks without enough space for a backup.
  func obstacles() throws -> [MigrationError] {
    var found: [MigrationError] = []
    if let provenance, [store, target, backup].contains(provenance) { found.append(.sameFile(provenance)) }
    for place in [target, backup, provenance].compactMap(\.self) {
      let folder = place.deletingLastPathComponent()
      if let error = files.refusal(of: folder) {
        found.append(
          place == store
            ? .files(store, "folder '\(folder.path)'", error) : .folder(folder, for: place, error))
      }
    }
    for place in [target, backup].compactMap(\.self) where found.isEmpty && place != store {
      let others = [store, target, backup].compactMap(\.self)
      if let refusal = try StoreFamily(store: place, files: files).refusal(besides: others) { found.append(refusal) }
    }
    if found.isEmpty, let shortage = try shortageForBackup() { found.append(shortage) }
    return found
  }

  /// A backup on the store's own disk is a hard link, which takes no space.
  private func shortageForBackup() throws -> MigrationError? {
    guard let backup else { return nil }
    let folder = backup.deletingLastPathComponent()
    guard let here = try FileIdentity(store), let there = try FileIdentity(folder, followingLink: true),
      here.device != there.device,
      let available = try? files.availableBytes(at: folder)
    else { return nil }
    let needed =
      try (files.size(of: store) ?? 0) + (files.size(of: store.appendingToName("-wal")) ?? 0)
      + ExternalDataFolder(store: store).totalBytes()
    return needed <= available ? nil : .noSpace(forBackup: backup, needed: needed, available: available)
  }
}
