public import HeavyliftModel

extension EntityFingerprint {
  /// The key for the digest of the entity itself: its parent, abstract flag and constraints.
  ///
  /// No property can have this name.
  package static let entityItself = "SELF"

  /// Creates digests of everything about an entity and its own attributes and relationships that matters to a mapping.
  ///
  /// This includes the contents of the version hash and everything that determines the values of new objects: defaults,
  /// derivations, transformers, elements of composite types, renaming identifiers. The name of a property is excluded:
  /// two properties that differ only in name have the same digest.
  package init(of entity: EntityDescription, in model: ManagedObjectModel) {
    var composites = CompositeDigests(model)
    self.init(of: entity, &composites)
  }

  init(of entity: EntityDescription, _ composites: inout CompositeDigests) {
    var properties = [Self.entityItself: Self.digest(ofItself: entity)]
    for relationship in entity.relationships { properties[relationship.name] = Self.digest(relationship) }
    for attribute in entity.attributes { properties[attribute.name] = Self.digest(attribute, &composites) }
    self.init(properties: properties)
  }

  private static func digest(ofItself entity: EntityDescription) -> String {
    var digest = FingerprintDigest()
    digest.add("entity")
    digest.add(entity.isAbstract)
    digest.add(entity.superentityName ?? "")
    digest.add(entity.versionHashModifier ?? "")
    digest.add(entity.renamingIdentifier(unless: entity.name))
    for constraint in entity.uniquenessConstraints { digest.add(constraint.propertyNames.joined(separator: ".")) }
    return digest.text()
  }

  /// Returns the digest of a property; nil for a fetched property.
  static func digest(_ property: PropertyReference, _ composites: inout CompositeDigests) -> String? {
    switch property {
    case .attribute(let attribute): digest(attribute, &composites)
    case .relationship(let relationship): digest(relationship)
    case .fetched: nil
    }
  }

  private static func digest(_ relationship: RelationshipDescription) -> String {
    var digest = FingerprintDigest()
    digest.add("relationship")
    digest.add(relationship.destinationEntityName ?? "")
    digest.add(relationship.inverseName ?? "")
    digest.add(relationship.isOptional)
    digest.add(relationship.isTransient)
    digest.add(relationship.isOrdered)
    digest.add("\(relationship.minCount)")
    digest.add("\(relationship.maxCount)")
    digest.add(relationship.versionHashModifier ?? "")
    digest.add(relationship.renamingIdentifier(unless: relationship.name))
    return digest.text()
  }

  fileprivate static func digest(_ attribute: AttributeDescription, _ composites: inout CompositeDigests) -> String {
    var digest = FingerprintDigest()
    digest.add("attribute")
    digest.add("\(attribute.type.rawValue)")
    digest.add(attribute.isOptional)
    digest.add(attribute.isTransient)
    digest.add(attribute.allowsExternalBinaryDataStorage)
    digest.add(attribute.preservesValueInHistoryOnDeletion)
    digest.add(attribute.defaultValue)
    digest.add(attribute.derivationExpression ?? "")
    digest.add(attribute.valueTransformerName ?? "")
    digest.add(attribute.compositeName.map { composites.digest(ofCompositeNamed: $0) } ?? "")
    digest.add(attribute.versionHashModifier ?? "")
    digest.add(attribute.renamingIdentifier(unless: attribute.name))
    return digest.text()
  }
}

/// The digests of a model's composite types, each computed once.
struct CompositeDigests {
  private let composites: [String: CompositeDescription]
  private var digests: [String: String] = [:]
  private var open: Set<String> = []

  init(_ model: ManagedObjectModel) {
    composites = Dictionary(model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func digest(ofCompositeNamed name: String) -> String {
    if let known = digests[name] { return known }
    // A composite that contains itself is reported by the model check; its name is enough here.
    guard let composite = composites[name], open.count < 32, open.insert(name).inserted else { return name }
    defer { open.remove(name) }
    var digest = FingerprintDigest()
    digest.add(name)
    for element in composite.elements {
      digest.add(element.name)
      digest.add(EntityFingerprint.digest(element, &self))
    }
    let text = digest.text()
    digests[name] = text
    return text
  }
}

extension ManagedObjectModel {
  /// The fingerprint of each entity, by name.
  package var fingerprints: [String: EntityFingerprint] {
    remembered("fingerprints") {
      var composites = CompositeDigests(self)
      return Dictionary(
        entities.map { ($0.name, EntityFingerprint(of: $0, &composites).properties) },
        uniquingKeysWith: { first, _ in first })
    }.mapValues(EntityFingerprint.init(properties:))
  }
}

extension ModelReference {
  /// Creates a reference that pins a model in its current state: its name, its checksum, and a digest of each property.
  ///
  /// ```swift
  /// mapping.source = ModelReference(pinning: music1)
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model to pin.
  ///   - name: The name to record; nil for the model's own name.
  public init(pinning model: ManagedObjectModel, name: String? = nil) {
    self.init(name: name ?? model.name, checksum: model.versionChecksum, fingerprints: model.fingerprints)
  }
}

/// A part of a model that can have a renaming identifier. An identifier equal to the name is ignored.
private protocol Renamable { var renamingIdentifier: String? { get } }
extension EntityDescription: Renamable {}
extension AttributeDescription: Renamable {}
extension RelationshipDescription: Renamable {}

extension Renamable {
  fileprivate func renamingIdentifier(unless name: String) -> String {
    renamingIdentifier == name ? "" : renamingIdentifier ?? ""
  }
}
