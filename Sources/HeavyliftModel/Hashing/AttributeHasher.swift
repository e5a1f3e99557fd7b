import Foundation

/// Hashes attributes; a composite one by the elements of its type, each type only once.
///
///     attribute = SHA-256(base ‖ type ‖ [01 if stored externally] ‖ [01 if history preserves it])
///     composite = SHA-256(elements in order of name)
///
/// A composite attribute's own name, optionality and type are not hashed.
struct AttributeHasher {
  struct Digest {
    var bytes: Data
    var assumptions: Set<VersionHashAssumption>
  }

  private struct Elements {
    var bytes: Data
    var assumptions: Set<VersionHashAssumption>
  }

  /// The hashes of composite types by name. A type that contains itself has none.
  private var composites: [String: Elements] = [:]

  /// Hashes the types that contain no other first, then those that contain only hashed ones.
  ///
  /// A loop and not a recursion: the depth of the nesting is the file's choice, the depth of the stack is not.
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
    attribute.type == .composite ? composite(attribute) : simple(attribute)
  }

  private func elements(of type: CompositeDescription) -> Elements {
    var digest = SHA256()
    var assumptions: Set<VersionHashAssumption> = []
    var elements = type.elements
    elements.sortByName(\.name)
    for element in elements {
      let hashed = self.digest(of: element)
      digest.update(hashed.bytes)
      assumptions.formUnion(hashed.assumptions)
      if element.type == .composite { assumptions.insert(.nestedComposite(element: element.name, of: type.name)) }
    }
    return Elements(bytes: digest.finalize(), assumptions: assumptions)
  }

  private func composite(_ attribute: AttributeDescription) -> Digest {
    // The name is not hashed, but it decides the place among the others.
    var assumptions = VersionHashAssumption.nonASCII([attribute.name])
    if !(attribute.versionHashModifier ?? "").isEmpty { assumptions.insert(.compositeModifier(attribute.name)) }
    guard let elements = attribute.compositeName.flatMap({ composites[$0] }) else {
      assumptions.insert(.unknownElements(attribute: attribute.name))
      return Digest(bytes: SHA256().finalize(), assumptions: assumptions)
    }
    return Digest(bytes: elements.bytes, assumptions: assumptions.union(elements.assumptions))
  }

  private func simple(_ attribute: AttributeDescription) -> Digest {
    var digest = SHA256()
    digest.update(
      VersionHasher.base(attribute.name, attribute.isOptional, attribute.isTransient, attribute.versionHashModifier))
    digest.update(VersionHasher.littleEndian(attribute.type.rawValue))
    if attribute.allowsExternalBinaryDataStorage { digest.update(CollectionOfOne(1)) }
    if attribute.preservesValueInHistoryOnDeletion { digest.update(CollectionOfOne(1)) }

    var assumptions = VersionHashAssumption.nonASCII([attribute.name, attribute.versionHashModifier])
    if attribute.isDerived { assumptions.insert(.derivedAttribute(attribute.name)) }
    if attribute.type == .objectID || attribute.type == .undefined {
      assumptions.insert(.unverifiedType(attribute: attribute.name, attribute.type))
    }
    if attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion {
      assumptions.insert(.externalStorageWithPreservedValue(attribute: attribute.name))
    }
    return Digest(bytes: digest.finalize(), assumptions: assumptions)
  }
}

extension AttributeDescription {
  /// The name of the composite type whose elements the attribute has, if it is a composite one.
  fileprivate var nestedCompositeName: String? { type == .composite ? compositeName : nil }
}
