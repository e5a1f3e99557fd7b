extension SourceSurvey {
  /// Throws if the source has links between migrated objects that the destination relationship cannot hold.
  func checkFit() throws {
    try LinkReconciliation.checkFit(stores) { mappingIndex in
      if let keys = knownKeys(mappingIndex) { return keys }
      guard stores.isUnfiltered(mappingIndex),
        stores.mappings[mappingIndex].description.sourceExpression == nil
      else { return nil }
      return try stores.sourceKeys(of: mappingIndex)
    }
  }
}
