import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftVerification
import HeavyliftXML
import Testing

/// Mutations prove something only about what the graph shows.
struct MutationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pair(_ mapping: String = Clinic.split) throws -> MigrationPair {
    let url = folder.appending("1-2.xml")
    try Data(mapping.utf8).write(to: url)
    let models = Clinic.versions.prefix(2).map { ModelBundle.Version(name: $0.name ?? "", model: $0) }
    let bundle = folder.appending("Clinic.xcdatamodeld")
    try ModelBundle(versions: models, currentVersionName: "Clinic 2").write(to: bundle)
    return try MigrationPair(models: bundle, from: "Clinic 1", to: "Clinic 2", mappings: [url])
  }

  private func report(
    _ pets: String, owners: String = #""ann": { "name": "Ann" }"#, mapping: String = Clinic.split,
    expecting change: (inout ObjectGraph) -> Void = { _ in }, excluding: Set<String> = []
  ) throws -> MutationReport {
    let pair = try pair(mapping)
    let graph = try ObjectGraph(
      json: #"{ "objects": { "Owner": { \#(owners) }, "Pet": { \#(pets) } } }"#, model: pair.sourceModel)
    var expected = try pair.migrate(graph).graph
    change(&expected)
    return try pair.mutate(graph, expecting: expected, excluding: excluding)
  }

  private static let full = #"""
    "rex": { "name": "Rex", "species": "dog", "born": "2020-01-01T00:00:00Z", "owner": "ann" },
    "tom": { "name": "Tom", "species": "cat", "born": "2021-01-01T00:00:00Z", "owner": "ann" },
    "tim": { "species": "mouse" }
    """#

  @Test func `a graph with every value covers all mutations, and the report is one line`() throws {
    let report = try report(Self.full)
    #expect(report.uncovered == [:])
    #expect(report.failures == [])
    let count = report.killed.count
    #expect(count > 30)
    #expect(report.description == "\(count) mutations, \(count) killed, 0 survived, 0 misplaced, 0 not covered")
  }

  @Test func `a mutation that the graph cannot show is not covered, and the report says what is missing`() throws {
    let report = try report(Self.full.replacing(#", "born": "2021-01-01T00:00:00Z""#, with: ""))
    #expect(report.uncovered == ["forget 'born' in 'PetToCat'": "a Pet with species 'cat' and a born"])
    #expect(report.survived == [] && report.misplaced == [:])
    #expect(
      report.failures == [
        """
        not covered: the graph has no object that these mistakes affect; it lacks
          forget 'born' in 'PetToCat': a Pet with species 'cat' and a born
          add such objects to the graph; if none can exist, exclude the mistake by name: \
        excluding: ["forget 'born' in 'PetToCat'"]
        """
      ])
    #expect(report.description.hasSuffix("1 not covered\n\(report.failures[0])"))
  }

  @Test func `without objects of a filter, nothing about its mapping is covered`() throws {
    let report = try report(#""rex": { "name": "Rex", "species": "dog", "born": "2020-01-01T00:00:00Z" }"#)
    #expect(
      report.uncovered == [
        "exclude all objects of 'PetToCat'": "a Pet with species 'cat'",
        "forget 'born' in 'PetToCat'": "a Pet with species 'cat' and a born",
        "forget 'name' in 'PetToCat'": "a Pet with species 'cat' and a name",
        "forget 'owner' in 'PetToCat' and its inverse 'cats'": "a Pet with species 'cat' and an owner",
        "forget 'owner' in 'PetToDog' and its inverse 'dogs'": "a Pet with species 'dog' and an owner",
        "forget 'cats' in 'OwnerToOwner' and its inverse 'owner'": "an Owner with pets",
        "forget 'dogs' in 'OwnerToOwner' and its inverse 'owner'": "an Owner with pets",
        "forget the filter of 'PetToDog'": "a Pet with another species than 'dog'",
      ])
  }

  @Test func `conditions other than equality are quoted`() throws {
    let mapping = Clinic.split.replacing("species == 'dog'", with: "species == 'dog' AND name BEGINSWITH 'R'")
      .replacing(
        #"source="Owner" destination="Owner">"#,
        with: #"source="Owner" destination="Owner"><attribute name="name" value="uppercase($source.name)"/>"#)
    let report = try report(
      #""tom": { "species": "cat", "owner": "ann" }"#, owners: #""ann": {}"#, mapping: mapping)
    #expect(
      report.uncovered["forget 'born' in 'PetToDog'"]
        == "a Pet with species 'dog' and a born, for which 'name BEGINSWITH \"R\"'")
    #expect(
      report.uncovered["forget 'name' in 'OwnerToOwner'"]
        == "an Owner for which 'uppercase:($source.name)' is not nil")
  }

  @Test func `an uncovered mutation is excluded by its name, and a useless name is a failure`() throws {
    let missing = Self.full.replacing(#", "born": "2021-01-01T00:00:00Z""#, with: "")
    let name = "forget 'born' in 'PetToCat'"
    let excluded = try report(missing, excluding: [name])
    #expect(excluded.uncovered == [:] && excluded.excluded == [name] && excluded.failures == [])
    #expect(excluded.description.hasSuffix("0 not covered, 1 excluded"))
    let useless = try report(Self.full, excluding: [name, "forget 'borm' in 'PetToCat'"])
    #expect(
      useless.failures == [
        """
        excluded without need
          forget 'borm' in 'PetToCat': there is no such mutation; did you mean 'forget 'born' in 'PetToCat''?
          forget 'born' in 'PetToCat': a check detects it
          remove these names from 'excluding'
        """
      ])
  }

  @Test func `a value that the expectation leaves open and nothing else checks is not covered`() throws {
    let mapping = Clinic.split.replacing(
      #"where="species == 'cat'">"#,
      with: #"where="species == 'cat'"><attribute name="born" value="now()"/><drop name="born"/>"#)
    let report = try report(Self.full, mapping: mapping) { expected in
      for index in expected.objects.indices where expected.objects[index].entityName == "Cat" {
        expected.objects[index].openProperties = ["born"]
      }
    }
    #expect(
      report.uncovered == [
        "forget 'born' in 'PetToCat'":
          "an expected value of 'born': the expected graph leaves it open, and no other check detects the mistake"
      ])
  }
}
