/// A property whose value is the result of a fetch. It is not stored, and version hashes do not include it.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The name, which is unique among the properties of the entity.
  public var name: String
  /// A flag that Xcode writes. No rule depends on it.
  public var isOptional: Bool
  /// A flag that Xcode writes. A fetched property is never stored.
  public var isTransient: Bool
  /// The request whose objects the property returns; nil only in an unfinished model.
  public var fetchRequest: FetchRequestDescription?
  /// The name of this property in earlier versions.
  public var renamingIdentifier: String?
  /// A text that is part of the version hash, so that changing it makes a new version; nil for none.
  public var versionHashModifier: String?
  /// Keys and values that the model's author added for the app. They are not part of the version hash.
  public var userInfo: [String: String]
  /// The spelling in the file. Not compared by `==`.
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
