/// An attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  public var isTransient: Bool
  /// The value of a new object; `.null` for none.
  public var defaultValue: Value
  public var validation: AttributeValidation
  /// Whether large values may live in a file beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether persistent history remembers the value when its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// The old "indexed" flag.
  public var isIndexed: Bool
  /// Whether Spotlight may index the value.
  public var isIndexedBySpotlight: Bool
  /// Whether the value also goes into the external record file of an old kind of store.
  public var isStoredInExternalRecord: Bool
  /// The registered name of a transformable attribute's transformer.
  public var valueTransformerName: String?
  /// The class of a transformable attribute's values.
  public var attributeValueClassName: String?
  /// The expression of a derived attribute, as written.
  public var derivationExpression: String?
  /// The name of the composite type whose elements a composite attribute has.
  public var compositeName: String?
  /// The name that this attribute had in earlier versions.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]
  public var markup: Markup

  /// Creates an attribute; as in Core Data it is optional unless told otherwise.
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

  /// Whether the store computes the value.
  public var isDerived: Bool { derivationExpression != nil }
}
