extension RelationshipDescription {
  /// Returns every fact about the relationship of an entity, named as in a model file; the relationship's name comes
  /// first.
  func parameters(in entity: String) -> [Parameter] {
    [
      .text("name", name, isHashed: true),
      .text("destinationEntity", destinationEntityName, isHashed: true),
      Parameter(
        "inverseName", inverseName, text: inverseName.map(\.quotedText),
        hashed: AnyHashable(Array(hashedInverseName(in: entity).utf8))),
      .text("inverseEntity", inverseEntityName),
      .flag("optional", isOptional, isHashed: true),
      .flag("transient", isTransient, isHashed: true),
      .flag("ordered", isOrdered, isHashed: true),
      .number("minCount", minCount, isHashed: true),
      .number("maxCount", maxCount, isHashed: true),
      Parameter("deletionRule", deleteRule, text: deleteRule.modelName),
      .flag("indexed", isIndexed),
      .flag("spotlightIndexingEnabled", isIndexedBySpotlight),
      .flag("storedInTruthFile", isStoredInExternalRecord),
      .text("elementID", renamingIdentifier),
      .text("versionHashModifier", versionHashModifier, isHashed: true),
    ] + Parameter.userInfo(userInfo)
  }

  /// The most important facts: `to-many, to 'Author', optional`.
  var factsText: String {
    let cardinality = isToMany ? (isOrdered ? "ordered to-many" : "to-many") : "to-one"
    let destination = destinationEntityName.map { "to \($0.quotedName)" } ?? "to nothing"
    return "\(cardinality), \(destination), \(isOptional ? "optional" : "mandatory")"
  }

  /// The name of the inverse as the version hash of the declaring entity includes it: nothing if the relationship is
  /// its own inverse.
  func hashedInverseName(in entity: String) -> String {
    inverseName == name && destinationEntityName == entity ? "" : inverseName ?? ""
  }

  /// Returns the facts that the version hash of the declaring entity includes; nil if the relationship is not hashed.
  func hashedFacts(in entity: String) -> HashedFacts? {
    guard !isTransient else { return nil }
    // Destination and inverse are hashed with nothing in between.
    return HashedFacts(
      text: [name, versionHashModifier ?? "", (destinationEntityName ?? "") + hashedInverseName(in: entity)],
      flags: [isOptional, isOrdered], numbers: [Int32(clamping: minCount), Int32(clamping: maxCount)])
  }
}
