public import Heavylift

extension PolicyRegistry {
  /// The policies of all samples.
  public static var samples: PolicyRegistry {
    PolicyRegistry(
      ArtistsFromJSON.self, PerformedSetsFromSummary.self, SpacePointPolicy.self, SongPolicy.self, SongPartPolicy.self)
  }
}
