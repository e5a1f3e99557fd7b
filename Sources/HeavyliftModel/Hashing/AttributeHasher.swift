/// Hashes attributes. Composite attributes are hashed by the elements of their type, and each type is hashed only once.
///
///     attribute = SHA-256(base ‖ type ‖ [01 if stored externally] ‖ [01 if history preserves it])
///     composite = SHA-256(elements sorted by name)
///     derived   = SHA-256(derivation expression as NSExpression prints it)
///
/// The own name, optionality and type of a composite or derived attribute are not hashed.
struct AttributeHasher {
  struct Digest {
    var bytes: [UInt8]
    var assumptions: Set<VersionHashAssumption>
  }

  /// The hash of a composite type. Its assumptions do not include those of nested types, which would otherwise be
  /// repeated at every level of nesting.
  private struct Elements {
    var bytes: [UInt8]
    var assumptions: Set<VersionHashAssumption>
    var nested: Set<String>
  }

  /// The hashes of composite types, by name. A type that contains itself has none.
  private var composites: [String: Elements] = [:]

  /// Hashes types that contain no other types first, then types that contain only types that are already hashed.
  ///
  /// Uses a loop instead of recursion: a file can nest deeper than the call stack allows.
  init(_ model: ManagedObjectModel) {
    let types = Dictionary(model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var missing: [String: Int] = [:]
    var containers: [String: [String]] = [:]
    for type in types.values {
      let nested = Set(type.elements.compactMap(\.nestedCompositeName)).filter { types[$0] != nil }
      missing[type.name] = nested.count
      for name in nested { containers[name, default: []].append(type.name) }
    }
    var ready = missing.filter { $0.value == 0 }.map(\.key)
    while let name = ready.popLast() {
      guard let type = types[name] else { continue }
      composites[name] = elements(of: type)
      for container in containers[name] ?? [] {
        missing[container, default: 1] -= 1
        if missing[container] == 0 { ready.append(container) }
      }
    }
  }

  func digest(of attribute: AttributeDescription) -> Digest {
    guard attribute.type == .composite else { return simple(attribute) }
    var digest = composite(attribute)
    if let name = attribute.compositeName { digest.assumptions.formUnion(assumptions(of: name)) }
    return digest
  }

  private func elements(of type: CompositeDescription) -> Elements {
    var digest = SHA2(.sha256)
    var assumptions: Set<VersionHashAssumption> = []
    var nested: Set<String> = []
    var elements = type.elements
    elements.sortByName(\.name)
    for element in elements {
      guard element.type == .composite else {
        let hashed = simple(element)
        digest.update(hashed.bytes)
        assumptions.formUnion(hashed.assumptions)
        continue
      }
      let hashed = composite(element)
      digest.update(hashed.bytes)
      assumptions.formUnion(hashed.assumptions)
      assumptions.insert(.nestedComposite(element: element.name, of: type.name))
      if let name = element.compositeName, composites[name] != nil { nested.insert(name) }
    }
    return Elements(bytes: digest.finalizedBytes(), assumptions: assumptions, nested: nested)
  }

  /// Returns the hash of a composite attribute, without the assumptions of its elements.
  private func composite(_ attribute: AttributeDescription) -> Digest {
    // The attribute's name is not hashed, but it determines the sort order.
    var assumptions = VersionHashAssumption.nonASCII([attribute.name])
    if !(attribute.versionHashModifier ?? "").isEmpty { assumptions.insert(.compositeModifier(attribute.name)) }
    guard let elements = attribute.compositeName.flatMap({ composites[$0] }) else {
      assumptions.insert(.unknownElements(attribute: attribute.name))
      return Digest(bytes: SHA2(.sha256).finalizedBytes(), assumptions: assumptions)
    }
    return Digest(bytes: elements.bytes, assumptions: assumptions)
  }

  /// Returns the assumptions of a composite type and of all types within it.
  private func assumptions(of name: String) -> Set<VersionHashAssumption> {
    var found: Set<VersionHashAssumption> = []
    var seen: Set<String> = [name]
    var waiting = [name]
    while let name = waiting.popLast() {
      guard let elements = composites[name] else { continue }
      found.formUnion(elements.assumptions)
      for nested in elements.nested where seen.insert(nested).inserted { waiting.append(nested) }
    }
    return found
  }

  private static func derived(_ attribute: AttributeDescription, from expression: String) -> Digest {
    var digest = SHA2(.sha256)
    digest.update(expression.utf8)
    // The attribute's name is not hashed, but it determines the sort order.
    var assumptions = VersionHashAssumption.nonASCII([attribute.name])
    if !attribute.hasProvenDerivation || !(attribute.versionHashModifier ?? "").isEmpty {
      assumptions.insert(.derivedAttribute(attribute.name))
    }
    return Digest(bytes: digest.finalizedBytes(), assumptions: assumptions)
  }

  private func simple(_ attribute: AttributeDescription) -> Digest {
    if let expression = attribute.printedDerivation { return Self.derived(attribute, from: expression) }
    var digest = SHA2(.sha256)
    digest.update(
      VersionHasher.base(attribute.name, attribute.isOptional, attribute.isTransient, attribute.versionHashModifier))
    digest.update(VersionHasher.littleEndian(attribute.type.rawValue))
    if attribute.allowsExternalBinaryDataStorage { digest.update(CollectionOfOne(1)) }
    if attribute.preservesValueInHistoryOnDeletion { digest.update(CollectionOfOne(1)) }

    var assumptions = VersionHashAssumption.nonASCII([attribute.name, attribute.versionHashModifier])
    if attribute.type == .objectID || attribute.type == .undefined {
      assumptions.insert(.unverifiedType(attribute: attribute.name, attribute.type))
    }
    if attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion {
      assumptions.insert(.externalStorageWithPreservedValue(attribute: attribute.name))
    }
    return Digest(bytes: digest.finalizedBytes(), assumptions: assumptions)
  }
}

extension AttributeDescription {
  /// The name of the attribute's composite type, if it is a composite.
  fileprivate var nestedCompositeName: String? { type == .composite ? compositeName : nil }
}
