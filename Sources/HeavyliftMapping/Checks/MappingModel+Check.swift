public import HeavyliftModel

extension MappingModel {
  /// Returns all mistakes in a mapping for two models, and warnings.
  ///
  /// ```swift
  /// let mistakes = mapping.check(from: library1, to: library2).filter { $0.severity == .error }
  /// ```
  ///
  /// Names of policies and functions are not checked; a plan checks them.
  public func check(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> [Diagnostic] {
    complete(from: source, to: destination).check()
  }

  /// Returns what each property of the new version gets, and why, as `heavylift explain` prints it.
  public func explanation(from source: ManagedObjectModel, to destination: ManagedObjectModel) -> String {
    "\(complete(from: source, to: destination).explanation())"
  }
}
