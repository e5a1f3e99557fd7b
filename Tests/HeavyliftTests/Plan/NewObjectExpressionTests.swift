import HeavyliftExpression
import Testing

@testable import Heavylift
@testable import HeavyliftEngine

@Suite struct NewObjectExpressionTests {
  private static let instances = #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "#

  @Test(arguments: [
    "$source.title",
    "$source.album.artist.name",
    "uppercase:($source.title)",
    #"FUNCTION(uppercase:($source.title), "stringByAppendingString:", " #")"#,
    #"FUNCTION($source.title, "componentsSeparatedByString:", ",")"#,
    #"FUNCTION($source, "valueForKey:", "title")"#,
    #"FUNCTION($source, "valueForKeyPath:", "album.title")"#,
    "SUBQUERY($source.tracks, $track, $track.rating > 3).@count",
    "TERNARY($source.rating > 3, $entityMapping.name, $propertyMapping.name)",
    instances + #""AlbumToAlbum", $source.album)"#,
    #"FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "album", $source.album)"#,
    "TERNARY($source.rating > 3, \(instances)\"A\", $source.album), nil)",
    "\(instances)\"A\", $source.album) UNION \(instances)\"B\", $source.album)",
    "{\(instances)\"A\", $source.album), \(instances)\"B\", $source.album)}",
    #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "rating > 3"), "#
      + "$manager.sourceContext, NO)",
  ])
  func `an expression over the source cannot see relationships of the destination`(_ text: String) throws {
    #expect(try !MappingExpression(parsing: text).mayReadNewObjects)
  }

  @Test(arguments: [
    "$destination.artist",
    "$destination.artist.name",
    #"FUNCTION($destination, "valueForKey:", "artist")"#,
    "$entityPolicy.artist",
    #"FUNCTION($entityPolicy, "artistOf:", $source)"#,
    #"FUNCTION($manager, "artistOf:", $source)"#,
    #"FUNCTION($manager, "valueForKey:", "destinationContext")"#,
    #"FUNCTION($source, "artistOf:", $manager)"#,
    #"FUNCTION($source.title, "initialsFor:", "x")"#,
    "initials:($source.title)",
    "$manager.destinationContext",
    "$manager.userInfo.artist",
    #"FUNCTION(\#(instances)"A", $source.album), "valueForKey:", "tracks")"#,
    #"FUNCTION(\#(instances)"A", $source.album), "count")"#,
    "TERNARY(\(instances)\"A\", $source.album).@count > 3, 1, 2)",
    "SUBQUERY(\(instances)\"A\", $source.album), $album, $album.tracks.@count > 3)",
    #"FUNCTION($manager, "sourceInstancesForEntityMappingNamed:destinationInstances:", "A", $destination)"#,
    #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "rating > 3"), "#
      + "$manager.destinationContext, NO)",
  ])
  func `an expression that reaches the destination may see them`(_ text: String) throws {
    #expect(try MappingExpression(parsing: text).mayReadNewObjects)
  }
}
