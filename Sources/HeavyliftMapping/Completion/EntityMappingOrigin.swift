/// The origin of an entity mapping: written or implied.
package enum EntityMappingOrigin: String, Hashable, Sendable, CaseIterable {
  /// The mapping model contains the entity mapping.
  case written
  /// No entity mapping mentions the source entity and the destination model still has it, so its objects are copied.
  case implied
}
