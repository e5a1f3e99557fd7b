public import HeavyliftModel

extension MappingModel {
  /// Returns the shortest mapping model with the same effect for two models.
  ///
  /// ```swift
  /// let mapping = try MappingModel(contentsOf: URL(filePath: "V2toV3.xcmappingmodel"))
  ///   .converted(for: version2, destination: version3)
  /// ```
  ///
  /// When completed for the same models, it equals the original in names, order, types, filters, expressions, policies
  /// and user info. Default behavior is not written out; standard forms of expressions become `from` and `mapping`.
  /// Names that the models do not have stay unchanged, for the check to report.
  public func converted(
    for source: ManagedObjectModel, destination: ManagedObjectModel
  ) -> MappingModel {
    MappingConversion(self, from: source, to: destination).converted()
  }
}
