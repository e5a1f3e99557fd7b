/// An option of an attribute.
public struct AttributeOption: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case unique, externalStorage, ephemeral, preserveValueOnDeletion, allowsCloudEncryption, spotlight
    case transformable(String)
  }

  let kind: Kind

  /// No two objects have the same value.
  public static let unique = AttributeOption(kind: .unique)
  /// Large values are stored in files next to the store.
  public static let externalStorage = AttributeOption(kind: .externalStorage)
  /// The value is kept in memory only. The model describes the attribute as transient.
  public static let ephemeral = AttributeOption(kind: .ephemeral)
  /// Persistent history keeps the value after its object is deleted.
  public static let preserveValueOnDeletion = AttributeOption(kind: .preserveValueOnDeletion)
  /// Accepted so that classes from SwiftData compile. It only has a meaning for a store that is synchronized with
  /// CloudKit, and is not recorded.
  public static let allowsCloudEncryption = AttributeOption(kind: .allowsCloudEncryption)
  /// Spotlight may index the value.
  public static let spotlight = AttributeOption(kind: .spotlight)

  /// The value consists of bytes that a transformer of that name has written; the property's type is `Data`.
  ///
  /// - Parameter transformer: The transformer's registered name.
  public static func transformable(by transformer: String) -> AttributeOption {
    AttributeOption(kind: .transformable(transformer))
  }
}
