import Foundation
import HeavyliftModel

/// The facts that `@Attribute` states, whatever the type.
protocol AttributeDeclaring: PropertyDeclaration {
  var parameters: AttributeParameters { get }
  var valueType: Any.Type { get }
  /// Describes the attribute for a storage profile.
  func described(named name: String, for profile: StorageProfile) -> DescribedAttribute
}

/// An attribute in the form of a storage profile.
struct DescribedAttribute: Sendable {
  var description: AttributeDescription
  var composites: [CompositeDescription] = []
  /// The name of the composite type, if each value of the Swift type has at least one element.
  var inhabitedComposite: String?
  /// A `ValueCodec` for the type of the attribute's property.
  var codec: (any Sendable & AnyObject)?
  /// Computes the value of a new object; nil if it has no initial value.
  var freshValue: (@Sendable () throws -> StoredValue)?
  /// True if the model's default is one of the values that the initial value has had.
  var defaultVaries = false
  var problem: TypeProblem?
  /// True if the initial value or a bound cannot be encoded.
  var hasUnstorableValue = false
  /// True for an optional structure all of whose elements are optional: a store cannot hold one without any element.
  var mayVanish = false
}

/// The facts that an `@Attribute` states.
final class AttributeDeclaration<Value>: AttributeDeclaring {
  let parameters: AttributeParameters
  private let initial: (@Sendable () -> Value)?
  private let minimum: (@Sendable () -> Value?)?
  private let maximum: (@Sendable () -> Value?)?

  var statedName: String? { parameters.name }
  var valueType: Any.Type { Value.self }

  init(
    _ parameters: AttributeParameters, initial: (@Sendable () -> Value)?, minimum: (@Sendable () -> Value?)?,
    maximum: (@Sendable () -> Value?)?
  ) {
    self.parameters = parameters
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
  }

  func described(named name: String, for profile: StorageProfile) -> DescribedAttribute {
    let form: StoredForm<Value>
    do {
      form = try StoredFormFactory(profile: profile, property: name).form(of: Value.self)
    } catch {
      return DescribedAttribute(description: AttributeDescription(name: name, type: .undefined), problem: error)
    }
    var described = DescribedAttribute(
      description: description(named: name, form.layout),
      composites: (form.layout.composite.map { [$0] } ?? []) + form.layout.nested,
      inhabitedComposite: form.layout.mayBeEmpty ? nil : form.layout.composite?.name, codec: codec(form),
      mayVanish: form.layout.isOptional && form.layout.mayBeEmpty)
    addValues(to: &described, form)
    if !form.layout.isOptional, initial == nil, form.codec.placeholder() == nil { described.problem = .noPlaceholder }
    if parameters.transformer != nil {
      described.description.type = .transformable
      described.description.valueTransformerName = parameters.transformer
      if form.layout.type != .binaryData || !(Value.self is any BytesType.Type) { described.problem = .transformable }
    }
    return described
  }

  /// Returns any value of the type.
  func prototypeValue() -> Value? {
    if let initial { return initial() }
    return (try? StoredFormFactory(profile: .coreData, property: "").form(of: Value.self))?.codec.placeholder()
  }

  private func description(named name: String, _ layout: StoredLayout) -> AttributeDescription {
    var description = layout.attribute(named: name)
    description.isOptional = parameters.isOptional ?? layout.isOptional
    description.isTransient = parameters.has(.ephemeral)
    description.allowsExternalBinaryDataStorage = parameters.has(.externalStorage)
    description.preservesValueInHistoryOnDeletion = parameters.has(.preserveValueOnDeletion)
    description.isIndexedBySpotlight = parameters.has(.spotlight)
    description.derivationExpression = parameters.derivation
    description.renamingIdentifier = parameters.originalName
    description.versionHashModifier = parameters.hashModifier
    description.userInfo.merge(parameters.userInfo) { $1 }
    description.validation.minimumLength = parameters.minimumLength
    description.validation.maximumLength = parameters.maximumLength
    description.validation.regularExpression = parameters.pattern
    return description
  }

  private func addValues(to described: inout DescribedAttribute, _ form: StoredForm<Value>) {
    let codec = form.codec
    do {
      if let minimum = minimum?() { described.description.validation.minimum = try codec.encode(minimum) }
      if let maximum = maximum?() { described.description.validation.maximum = try codec.encode(maximum) }
      guard let initial else { return }
      let first = try codec.encode(initial())
      described.defaultVaries = try !first.isIdentical(to: codec.encode(initial()))
      if case .date = first, !described.defaultVaries {
        // Two dates are the same if the clock is read twice within its resolution.
        Thread.sleep(forTimeInterval: 0.000_01)
        described.defaultVaries = try !first.isIdentical(to: codec.encode(initial()))
      }
      // A model has no defaults for transformable attributes.
      if !form.layout.isBoxed, parameters.transformer == nil { described.description.defaultValue = first }
      // An initial value that reads the clock or a setting may change only after the schema was made.
      if parameters.derivation == nil { described.freshValue = { try codec.encode(initial()) } }
    } catch {
      described.hasUnstorableValue = true
    }
  }

  /// Returns the codec, with the initial value as the placeholder if the type has none.
  private func codec(_ form: StoredForm<Value>) -> ValueCodec<Value> {
    let codec = form.codec
    guard codec.placeholder() == nil, let initial else { return codec }
    return ValueCodec(decode: codec.decode, encode: codec.encode, placeholder: { initial() })
  }
}

/// `Data` and `Data?`, whose bytes a transformer may have written.
protocol BytesType {}

extension Optional: BytesType where Wrapped: BytesType {}

extension Data: BytesType {}
