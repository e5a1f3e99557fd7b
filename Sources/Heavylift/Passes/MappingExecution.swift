/// One way to carry out an entity mapping.
protocol MappingExecution {
  /// Makes the objects that come about through the mapping, with their attributes.
  func createDestinationInstances() throws

  /// Connects them.
  func createRelationships() throws
}
