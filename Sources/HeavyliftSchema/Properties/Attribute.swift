/// A stored attribute of an entity class.
///
/// ```swift
/// @Attribute var title: String?
/// @Attribute(.unique) var number: Int = 0
/// @Attribute(originalName: "json") var legacyJSON: Data?
/// @Attribute("point", minimumLength: 1) var position: String
/// ```
///
/// The types are those of `ValueConvertible`, enumerations, `Codable` structures, arrays of them, and optionals of all of
/// these; the schema's `StorageProfile` determines the form in which the store holds them. An attribute is optional if
/// its type is. The initial value is computed again for each new object. It is also the default value in the model, so that
/// a migration can give it to old objects.
@propertyWrapper
public struct Attribute<Value>: WrappedProperty {
  private let record: EntityRecord
  let number: Int

  /// Creates an attribute without options.
  public init() {
    record = EntityConstruction.record()
    number = record.add(AttributeDeclaration<Value>(AttributeParameters(), initial: nil, minimum: nil, maximum: nil))
  }

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - options: The attribute's options.
  ///   - originalName: The attribute's name in earlier versions.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - minimum: The smallest number or earliest date that can be saved.
  ///   - maximum: The largest number or latest date that can be saved.
  ///   - minimumLength: The minimum length of a string, in UTF-16 code units.
  ///   - maximumLength: The maximum length of a string, in UTF-16 code units.
  ///   - pattern: An ICU regular expression that a whole string must match.
  ///   - isOptional: False or true to declare the attribute otherwise than its type; nil to follow the type.
  ///   - derivation: The expression of a derived attribute, which the store computes.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil,
    minimum: @autoclosure @escaping @Sendable () -> Value? = nil,
    maximum: @autoclosure @escaping @Sendable () -> Value? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    pattern: String? = nil, isOptional: Bool? = nil, derivation: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      AttributeParameters(
        name: nil, options: options, originalName: originalName, hashModifier: hashModifier,
        minimumLength: minimumLength, maximumLength: maximumLength, pattern: pattern, isOptional: isOptional,
        derivation: derivation, userInfo: userInfo),
      initial: nil, minimum: minimum, maximum: maximum)
  }

  /// Creates an attribute whose name in the store differs from that of the property.
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - options: The attribute's options.
  ///   - originalName: The attribute's name in earlier versions.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - minimum: The smallest number or earliest date that can be saved.
  ///   - maximum: The largest number or latest date that can be saved.
  ///   - minimumLength: The minimum length of a string, in UTF-16 code units.
  ///   - maximumLength: The maximum length of a string, in UTF-16 code units.
  ///   - pattern: An ICU regular expression that a whole string must match.
  ///   - isOptional: False or true to declare the attribute otherwise than its type; nil to follow the type.
  ///   - derivation: The expression of a derived attribute, which the store computes.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    _ name: String,
    _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil,
    minimum: @autoclosure @escaping @Sendable () -> Value? = nil,
    maximum: @autoclosure @escaping @Sendable () -> Value? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    pattern: String? = nil, isOptional: Bool? = nil, derivation: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      AttributeParameters(
        name: name, options: options, originalName: originalName, hashModifier: hashModifier,
        minimumLength: minimumLength, maximumLength: maximumLength, pattern: pattern, isOptional: isOptional,
        derivation: derivation, userInfo: userInfo),
      initial: nil, minimum: minimum, maximum: maximum)
  }

  /// Creates an attribute with an initial value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value in a new object.
  ///   - options: The attribute's options.
  ///   - originalName: The attribute's name in earlier versions.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - minimum: The smallest number or earliest date that can be saved.
  ///   - maximum: The largest number or latest date that can be saved.
  ///   - minimumLength: The minimum length of a string, in UTF-16 code units.
  ///   - maximumLength: The maximum length of a string, in UTF-16 code units.
  ///   - pattern: An ICU regular expression that a whole string must match.
  ///   - isOptional: False or true to declare the attribute otherwise than its type; nil to follow the type.
  ///   - derivation: The expression of a derived attribute, which the store computes.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil,
    minimum: @autoclosure @escaping @Sendable () -> Value? = nil,
    maximum: @autoclosure @escaping @Sendable () -> Value? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    pattern: String? = nil, isOptional: Bool? = nil, derivation: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      AttributeParameters(
        name: nil, options: options, originalName: originalName, hashModifier: hashModifier,
        minimumLength: minimumLength, maximumLength: maximumLength, pattern: pattern, isOptional: isOptional,
        derivation: derivation, userInfo: userInfo),
      initial: wrappedValue, minimum: minimum, maximum: maximum)
  }

  /// Creates an attribute with an initial value, whose name in the store differs from that of the property.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value in a new object.
  ///   - name: The attribute's name.
  ///   - options: The attribute's options.
  ///   - originalName: The attribute's name in earlier versions.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - minimum: The smallest number or earliest date that can be saved.
  ///   - maximum: The largest number or latest date that can be saved.
  ///   - minimumLength: The minimum length of a string, in UTF-16 code units.
  ///   - maximumLength: The maximum length of a string, in UTF-16 code units.
  ///   - pattern: An ICU regular expression that a whole string must match.
  ///   - isOptional: False or true to declare the attribute otherwise than its type; nil to follow the type.
  ///   - derivation: The expression of a derived attribute, which the store computes.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    wrappedValue: @autoclosure @escaping @Sendable () -> Value,
    _ name: String,
    _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil,
    minimum: @autoclosure @escaping @Sendable () -> Value? = nil,
    maximum: @autoclosure @escaping @Sendable () -> Value? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    pattern: String? = nil, isOptional: Bool? = nil, derivation: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      AttributeParameters(
        name: name, options: options, originalName: originalName, hashModifier: hashModifier,
        minimumLength: minimumLength, maximumLength: maximumLength, pattern: pattern, isOptional: isOptional,
        derivation: derivation, userInfo: userInfo),
      initial: wrappedValue, minimum: minimum, maximum: maximum)
  }

  private init(
    _ parameters: AttributeParameters, initial: (@Sendable () -> Value)?, minimum: @escaping @Sendable () -> Value?,
    maximum: @escaping @Sendable () -> Value?
  ) {
    record = EntityConstruction.record()
    number = record.add(
      AttributeDeclaration(parameters, initial: initial, minimum: minimum, maximum: maximum))
  }

  /// The value. If it cannot be read or set, the context's next save throws the reason.
  public var wrappedValue: Value {
    get {
      guard let object = record.object, let binding = record.binding else { return record.prototypeValue(number) }
      let codec: ValueCodec<Value> = binding.codec(number)
      do {
        let stored = try object.attributeValue(at: binding.slots[number])
        if let value = codec.decode(stored) { return value }
        // A new object is validated when it is saved. Besides, an assignment through a key path reads the value first.
        if stored.isNull, object.isUnsaved { return codec.requiredPlaceholder() }
        throw AccessMistake(stored, number, of: object, binding, Value.self).diagnostic
      } catch {
        object.keep(error)
        return codec.requiredPlaceholder()
      }
    }
    nonmutating set {
      guard let object = record.object, let binding = record.binding else { return }
      let codec: ValueCodec<Value> = binding.codec(number)
      do {
        try object.setAttributeValue(codec.encode(newValue), at: binding.slots[number])
      } catch {
        object.keep(AccessMistake.worded(error, number, of: object, binding))
      }
    }
  }

  /// A reference to the attribute, for key paths such as `\Track.$title`.
  public var projectedValue: AttributeReference<Value> {
    AttributeReference(place: PropertyReferencePlace(record: record, number: number))
  }
}
