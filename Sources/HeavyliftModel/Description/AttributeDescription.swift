/// An attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The name, which must be an identifier.
  public var name: String
  /// The type of the values.
  public var type: AttributeType
  /// A Boolean value that indicates whether the value may be nil when the object is saved.
  public var isOptional: Bool
  /// A Boolean value that indicates whether the value is never stored.
  public var isTransient: Bool
  /// The attribute's value in a new object; `.null` if there is no default.
  public var defaultValue: Value
  /// The range, length or pattern of valid values.
  public var validation: AttributeValidation
  /// A Boolean value that indicates whether large values may be stored in an external file next to the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// A Boolean value that indicates whether persistent history keeps the value after its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// The legacy "indexed" flag.
  public var isIndexed: Bool
  /// A Boolean value that indicates whether Spotlight may index the value.
  public var isIndexedBySpotlight: Bool
  /// A Boolean value that indicates whether the value is also written to the external record file, an obsolete
  /// feature.
  public var isStoredInExternalRecord: Bool
  /// The registered name of a transformable attribute's transformer.
  public var valueTransformerName: String?
  /// The class of a transformable attribute's values.
  public var attributeValueClassName: String?
  /// The expression of a derived attribute, as written in the model.
  public var derivationExpression: String?
  /// The name of a composite attribute's composite type.
  public var compositeName: String?
  /// The name of this attribute in earlier versions.
  public var renamingIdentifier: String?
  /// A text that is part of the version hash, so that changing it makes a new version; nil for none.
  public var versionHashModifier: String?
  /// Keys and values that the model's author added for the app. They are not part of the version hash.
  public var userInfo: [String: String]
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup

  /// Creates an attribute. As in Core Data, it is optional by default.
  public init(
    name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    defaultValue: Value = .null, validation: AttributeValidation = AttributeValidation(),
    allowsExternalBinaryDataStorage: Bool = false, preservesValueInHistoryOnDeletion: Bool = false,
    isIndexed: Bool = false, isIndexedBySpotlight: Bool = false, isStoredInExternalRecord: Bool = false,
    valueTransformerName: String? = nil, attributeValueClassName: String? = nil,
    derivationExpression: String? = nil, compositeName: String? = nil,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], markup: Markup = Markup()
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.validation = validation
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isStoredInExternalRecord = isStoredInExternalRecord
    self.valueTransformerName = valueTransformerName
    self.attributeValueClassName = attributeValueClassName
    self.derivationExpression = derivationExpression
    self.compositeName = compositeName
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.markup = markup
  }

  /// A Boolean value that indicates whether the store computes the value.
  public var isDerived: Bool { derivationExpression != nil }

  /// True if the value is derived from the time at which its object was saved, like `now()`. Unlike other derived values,
  /// it cannot be computed again.
  package var isTimeOfSave: Bool {
    derivationExpression?.filter { !$0.isWhitespace }.contains("now()") ?? false
  }

  /// True if the value is derived from other values in the store, so it can be computed again.
  package var isRecomputed: Bool { isDerived && !isTimeOfSave }
}
