extension AttributeDescription {
  /// Every fact about the attribute, named as in a model file; the attribute's name comes first.
  var parameters: [Parameter] {
    // For a composite or derived attribute, the version hash covers the elements or the expression, and little else.
    let isPlain = type != .composite && !isDerived
    return [
      .text("name", name, isHashed: true),
      Parameter(
        "attributeType", type, text: type.modelName, hashed: isDerived ? nil : AnyHashable(type.rawValue)),
      .flag("optional", isOptional, isHashed: isPlain),
      .flag("transient", isTransient, isHashed: true),
      .value("defaultValue", defaultValue),
      .value("minValue", validation.minimum),
      .value("maxValue", validation.maximum),
      .number("minLength", validation.minimumLength),
      .number("maxLength", validation.maximumLength),
      .text("regularExpressionString", validation.regularExpression),
      .flag("allowsExternalBinaryDataStorage", allowsExternalBinaryDataStorage, isHashed: isPlain),
      .flag("preserveAfterDeletion", preservesValueInHistoryOnDeletion, isHashed: isPlain),
      .flag("indexed", isIndexed),
      .flag("spotlightIndexingEnabled", isIndexedBySpotlight),
      .flag("storedInTruthFile", isStoredInExternalRecord),
      .text("valueTransformerName", valueTransformerName),
      .text("customClassName", attributeValueClassName),
      Parameter(
        "derivationExpression", derivationExpression, text: derivationExpression.map(\.quotedText),
        hashed: printedDerivation.map { AnyHashable(Array($0.utf8)) }),
      .text("compositeName", compositeName, isHashed: type == .composite),
      .text("elementID", renamingIdentifier),
      .text("versionHashModifier", versionHashModifier, isHashed: isPlain),
    ] + Parameter.userInfo(userInfo)
  }

  /// The most important facts: `Integer 32, optional, default 0`.
  var factsText: String {
    var facts = [type.modelName, isOptional ? "optional" : "mandatory"]
    if isTransient { facts.append("transient") }
    if isDerived { facts.append("derived") }
    if let text = defaultValue.shownText { facts.append("default \(text)") }
    return facts.joined(separator: ", ")
  }

  /// Returns the facts that the version hash includes; nil if the attribute is not hashed.
  func hashedFacts(_ hasher: AttributeHasher) -> HashedFacts? {
    guard !isTransient else { return nil }
    if type == .composite || isDerived { return HashedFacts(digest: hasher.digest(of: self)) }
    return HashedFacts(
      text: [name, versionHashModifier ?? ""],
      flags: [isOptional, allowsExternalBinaryDataStorage, preservesValueInHistoryOnDeletion], numbers: [type.rawValue])
  }
}
