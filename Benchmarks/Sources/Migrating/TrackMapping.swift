import Heavylift

/// The migration from the first version to the second: two attributes renamed, three computed, one new with a
/// default, two dropped, unplayed tracks filtered out, and each track split into itself and its artwork.
enum TrackMapping {
  /// - Parameter policy: The policy that creates the tracks and then computes `tier`.
  static func make(policy: String? = nil) throws -> MappingModel {
    let played = try MappingPredicate(parsing: "playCount > 0")
    let tier = PropertyMappingDescription.attribute(
      "tier", try MappingExpression(parsing: #"TERNARY($source.playCount > 100, "hot", "cold")"#))
    return MappingModel(
      source: ModelReference(name: "Tracks 1"), destination: ModelReference(name: "Tracks 2"),
      entityMappings: [
        EntityMappingDescription(source: "Artist", destination: "Artist"),
        EntityMappingDescription(source: "Album", destination: "Album"),
        EntityMappingDescription(
          source: "Track", destination: "Track", filter: played, policy: policy,
          properties: [
            .attribute("number", try MappingExpression(parsing: "$source.trackNumber")),
            .attribute("stars", try MappingExpression(parsing: "$source.rating")),
            .attribute("sortTitle", try MappingExpression(parsing: "uppercase:($source.title)")),
            // The `|` operator works on integers, so it truncates the fraction.
            .attribute("durationMS", try MappingExpression(parsing: "($source.duration * 1000.0) | 0")),
            .relationship("artwork", from: try MappingExpression(parsing: "$source"), through: "TrackToArtwork"),
          ] + (policy == nil ? [tier] : []), drops: [DroppedProperty("comment"), DroppedProperty("legacyID")]),
        EntityMappingDescription(
          source: "Track", destination: "Artwork", filter: played,
          properties: [
            .attribute("data", try MappingExpression(parsing: "$source.artData")),
            .attribute("mime", try MappingExpression(parsing: "$source.artMIME")),
            .relationship("track", from: try MappingExpression(parsing: "$source"), through: "TrackToTrack"),
          ]),
        EntityMappingDescription(source: "Playlist", destination: "Playlist"),
      ])
  }
}

extension TrackMapping {
  /// Returns a later hop: one attribute is renamed, and one is computed.
  ///
  /// - Parameter policy: The policy that computes it.
  static func later(from version: Int, policy: String? = nil) throws -> MappingModel {
    let tier = PropertyMappingDescription.attribute(
      "tier", try MappingExpression(parsing: #"TERNARY($source.tier == "hot", "hot", "cold")"#))
    return MappingModel(
      source: ModelReference(name: "Tracks \(version)"), destination: ModelReference(name: "Tracks \(version + 1)"),
      entityMappings: [
        EntityMappingDescription(source: "Artist", destination: "Artist"),
        EntityMappingDescription(source: "Album", destination: "Album"),
        EntityMappingDescription(
          source: "Track", destination: "Track", policy: policy,
          properties: [
            .attribute(
              TrackModels.stars(version + 1),
              try MappingExpression(parsing: "$source.\(TrackModels.stars(version))"))
          ] + (policy == nil ? [tier] : [])),
        EntityMappingDescription(source: "Artwork", destination: "Artwork"),
        EntityMappingDescription(source: "Playlist", destination: "Playlist"),
      ])
  }

  /// Returns a manager for a chain of hops.
  ///
  /// - Parameter policyAt: The version from which a hop has a policy.
  static func chain(from first: Int = 1, hops: Int, policyAt: Int? = nil) throws -> IncrementalMigrationManager {
    let mappings = try (first..<first + hops).map {
      $0 == 1 ? try make() : try later(from: $0, policy: $0 == policyAt ? "TierPolicy" : nil)
    }
    return IncrementalMigrationManager(
      models: (first...first + hops).map(TrackModels.version),
      mappings: MappingSearch(
        mappings.enumerated().map { MappingCandidate(file: "\($0 + 1).xml", mappingModel: $1) }),
      code: MigrationCode(policies: PolicyRegistry(TierPolicy.self)))
  }
}

/// A typical policy: lets super create the object, looks it up, and sets one attribute.
final class TrackPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    guard let track = made.first else { return }
    track["tier"] = .string((source["playCount"].integer ?? 0) > 100 ? "hot" : "cold")
  }
}

/// A policy of a later hop: lets super create the object, looks it up, and sets one attribute.
final class TierPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    made.first?["tier"] = .string(source["tier"].string == "hot" ? "hot" : "cold")
  }
}
