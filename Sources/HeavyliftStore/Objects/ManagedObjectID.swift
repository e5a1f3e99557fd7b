import Foundation

/// The identifier of an object: the store, the entity, and the key of its row.
///
/// To keep an ID outside the store, save its URI: `x-coredata://<store>/<Entity>/p<key>`. An unsaved object has a
/// temporary ID, which saving replaces.
public struct ManagedObjectID: Hashable, Codable, Sendable {
  /// The store's UUID, in upper case.
  public let storeIdentifier: String
  /// The object's own entity, which can be a sub-entity of the one that was fetched.
  public let entityName: String
  /// `Z_PK` of the object's row; negative while the ID is temporary.
  public let key: Int64

  /// Creates the ID of the object with that key.
  public init(storeIdentifier: String, entityName: String, key: Int64) {
    self.storeIdentifier = storeIdentifier
    self.entityName = entityName
    self.key = key
  }

  /// Creates an ID from its URI; nil if the text is not the URI of a saved object.
  public init?(uri: String) { self.init(uri: uri, acceptsTemporary: false) }

  init?(uri: String, acceptsTemporary: Bool) {
    let prefix = "x-coredata://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    let isTemporary = acceptsTemporary && parts.last?.first == "t"
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, isTemporary || parts[2].first == "p",
      // `Int64` accepts a sign, too.
      parts[2].dropFirst().allSatisfy({ ("0"..."9").contains($0) }),
      let key = Int64(parts[2].dropFirst()), key > 0
    else { return nil }
    self.init(
      storeIdentifier: String(parts[0]), entityName: parts[1].removingPercentEncoding ?? String(parts[1]),
      key: isTemporary ? -key : key)
  }

  /// A Boolean value that indicates whether the object is unsaved.
  public var isTemporary: Bool { key < 0 }

  /// `x-coredata://<store>/<Entity>/p<key>`, with `t` instead of `p` for a temporary ID.
  public var uriRepresentation: String {
    "x-coredata://\(storeIdentifier)/\(Self.path(ofEntityNamed: entityName))/\(isTemporary ? "t" : "p")\(key.magnitude)"
  }

  /// Returns an entity's name, percent-encoded for a URI.
  package static func path(ofEntityNamed name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
  }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The URI.
  public var description: String { uriRepresentation }
}

/// Identifies an object within a context: by the hierarchy whose table contains its row, and by the row's key.
///
/// Negative keys are temporary: they belong to objects that are not saved yet.
struct ObjectKey: Hashable {
  /// `Z_ENT` of the hierarchy's root.
  var root: Int
  var key: Int64
}

/// An object's reference to its context.
///
/// A weak reference would cost an atomic operation for each access to the object. Objects and contexts belong to one
/// thread, and a context cuts its link before it is deallocated, so a plain pointer is as safe and costs nothing.
final class ContextLink {
  unowned(unsafe) private(set) var context: ManagedObjectContext?
  let storeIdentifier: String

  init(context: ManagedObjectContext?, storeIdentifier: String) {
    self.context = context
    self.storeIdentifier = storeIdentifier
  }

  func cut() { context = nil }

  /// The link of objects that the context has released.
  private(set) lazy var detached = ContextLink(context: nil, storeIdentifier: storeIdentifier)
}
