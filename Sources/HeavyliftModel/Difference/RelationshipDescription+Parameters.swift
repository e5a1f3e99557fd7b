extension RelationshipDescription {
  /// Every fact about the relationship, named as in a model file; the relationship's name comes first.
  var parameters: [Parameter] {
    [
      .text("name", name, isHashed: true),
      .text("destinationEntity", destinationEntityName, isHashed: true),
      .text("inverseName", inverseName, isHashed: true),
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

  /// The facts that the version hash includes; nil if the relationship is not hashed.
  var hashedFacts: HashedFacts? {
    guard !isTransient else { return nil }
    // Destination and inverse are hashed with nothing in between.
    return HashedFacts(
      text: [name, versionHashModifier ?? "", (destinationEntityName ?? "") + (inverseName ?? "")],
      flags: [isOptional, isOrdered], numbers: [Int32(clamping: minCount), Int32(clamping: maxCount)])
  }
}
