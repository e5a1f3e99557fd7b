public import HeavyliftModel

extension MappingModel {
  /// The shortest mapping model that says the same for two models.
  ///
  /// ```swift
  /// let reading = try XcodeMappingReader.read(contentsOf: URL(filePath: "V2toV3.xcmappingmodel"))
  /// let mapping = try reading.validMappingModel().converted(for: version2, destination: version3)
  /// ```
  ///
  /// Completed for the same models it is what the original is: names, order, types, filters, expressions, policies and
  /// user info. What happens without being mentioned is not mentioned; standard forms of expressions become
  /// `from` and `mapping`. What the models do not have stays as it is, for a check to tell.
  public func converted(
    for source: ManagedObjectModel, destination: ManagedObjectModel
  ) -> MappingModel {
    MappingConversion(self, from: source, to: destination).converted()
  }
}
