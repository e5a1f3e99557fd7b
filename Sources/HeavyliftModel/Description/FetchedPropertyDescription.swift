/// A property whose value is the result of a fetch. It is not stored, and version hashes do not include it.
public struct FetchedPropertyDescription: Hashable, Sendable {
  public var name: String
  public var isOptional: Bool
  public var isTransient: Bool
  public var fetchRequest: FetchRequestDescription?
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]
  public var markup: Markup

  /// Creates a fetched property.
  public init(
    name: String, fetchRequest: FetchRequestDescription?, isOptional: Bool = true, isTransient: Bool = true,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    markup: Markup = Markup()
  ) {
    self.name = name
    self.fetchRequest = fetchRequest
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.markup = markup
  }
}
