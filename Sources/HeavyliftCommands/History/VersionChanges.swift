import HeavyliftModel

/// The changes of a version that change its hashes, each with its place in the changed file.
struct VersionChanges {
  private struct Change {
    var words: String
    var location: DiagnosticLocation?
    /// False if the file does not have what changed any more, so that the place is only near it.
    var isThere = true
  }

  private let changes: [Change]
  private static let mostShown = 8

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    changes = ModelDifference(from: old, to: new).entities.filter(\.changesVersionHash).flatMap { entity -> [Change] in
      let present = new.entity(named: entity.newName)
      let place = present?.markup.location
      guard let present, entity.oldName != nil else {
        return [Change(words: "entity \(entity.name.quotedName): \(entity.difference.rawValue)", location: place)]
      }
      return entity.versionHashReasons.compactMap { reason in
        switch reason {
        case .inherited: return nil
        case .property(let property):
          let location = Self.location(of: property.newName, in: present)
          return Change(
            words: "entity \(entity.name.quotedName), \(property.summary)", location: location ?? place,
            isThere: location != nil)
        case .elements(let attribute):
          return Change(
            words: "entity \(entity.name.quotedName), \(reason)", location: Self.location(of: attribute, in: present))
        default: return Change(words: "entity \(entity.name.quotedName): \(reason)", location: place)
        }
      }
    }
  }

  private static func location(of name: String?, in entity: EntityDescription) -> DiagnosticLocation? {
    entity.attributes.first { $0.name == name }?.markup.location
      ?? entity.relationships.first { $0.name == name }?.markup.location
  }

  /// The place of the first change.
  var location: DiagnosticLocation? {
    changes.filter(\.isThere).compactMap(\.location).min() ?? changes.compactMap(\.location).min()
  }

  /// One line for each change.
  var list: String {
    let shown = changes.prefix(Self.mostShown).map { change in
      "\n  - " + (change.isThere ? change.location.map { "line \($0.line): " } ?? "" : "") + change.words
    }
    let rest = changes.count > Self.mostShown ? "\n  - and \(changes.count - Self.mostShown) more" : ""
    return shown.joined() + rest
  }
}

/// The renaming identifiers that a version has lost, which no hash covers.
struct LostRenamings {
  private var lost: [String] = []
  /// The place of the first one.
  private(set) var location: DiagnosticLocation?
  private static let mostShown = 4

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    for entity in old.entities {
      guard let present = new.entity(named: entity.name) else { continue }
      add(entity.name, entity.renamingIdentifier, present.renamingIdentifier, present.markup.location)
      for attribute in entity.attributes {
        guard let same = present.attributes.first(where: { $0.name == attribute.name }) else { continue }
        add(
          "\(entity.name).\(attribute.name)", attribute.renamingIdentifier, same.renamingIdentifier,
          same.markup.location)
      }
      for relationship in entity.relationships {
        guard let same = present.relationships.first(where: { $0.name == relationship.name }) else { continue }
        add(
          "\(entity.name).\(relationship.name)", relationship.renamingIdentifier, same.renamingIdentifier,
          same.markup.location)
      }
    }
  }

  private mutating func add(_ name: String, _ old: String?, _ new: String?, _ place: DiagnosticLocation?) {
    guard let old, old != new else { return }
    lost.append("'\(old)' of '\(name)'")
    location = location ?? place
  }

  var isEmpty: Bool { lost.isEmpty }

  var list: String {
    lost.prefix(Self.mostShown).joined(separator: ", ")
      + (lost.count > Self.mostShown ? " and \(lost.count - Self.mostShown) others" : "")
  }
}
