import HeavyliftModel

/// The models must be those that the mapping was written for.
struct OtherModel {
  func diagnostics(for mapping: MappingIndex) -> [Diagnostic] {
    let complete = mapping.complete
    let models = (complete.sourceModel, complete.destinationModel)
    // The caller may have swapped the two models.
    return complete.mappingModel.mismatches(
      source: models.0, destination: models.1, knowing: [models.0, models.1])
  }
}
