@testable import HeavyliftModel
import Testing

@Suite struct RenamingMatchTests {
  /// `Name` or `Name<Identifier`, separated by spaces.
  private func things(_ text: String) -> [RenamingMatch.Thing] {
    text.split(separator: " ").map {
      let parts = $0.split(separator: "<").map(String.init)
      return RenamingMatch.Thing(name: parts[0], identifier: parts.count > 1 ? parts[1] : nil)
    }
  }

  static let table: [(old: String, new: String, pairs: String)] = [
    ("A B", "A B", "A=A B=B"),
    ("A", "B", "A=- -=B"),
    ("A", "B<A", "A=B"),
    // A part that was renamed before is still known by its current name.
    ("A<X", "B<A", "A=B"),
    // Two parts swap their names.
    ("A B", "A<B B<A", "A=B B=A"),
    // Two parts that swapped their names before are distinguished by their identities, not by their names.
    ("B<A A<B", "P<A Q<B", "B=P A=Q"),
    ("B<A A<B", "A B", "B=A A=B"),
    ("B<A A<B", "B<A A<B", "B=B A=A"),
    ("A B", "P<A Q<B", "A=P B=Q"),
    // A new part has the first name of a renamed one: the identity decides, as in a migration without the version
    // between.
    ("B<A", "A B", "B=A -=B"),
    ("B<A", "B C<A", "B=C -=B"),
    // Three parts pass on their names.
    ("B<A C<B A<C", "C<A A<B B<C", "B=C C=A A=B"),
    // Two old parts have the same identity: the one that has it as its name is meant.
    ("B<A A", "C<A", "B=- A=C"),
    // The first name is gone, and another part has it as its name.
    ("A<X", "A C<A", "A=A -=C"),
    // The old version was itself renamed, and both remember the same name.
    ("B<A", "C<A", "B=C"),
    // An outdated identifier.
    ("B<A", "B<A", "B=B"),
    ("B", "B<A", "B=B"),
    ("B<A", "B", "B=B"),
    // Renamed back.
    ("B<A", "A", "B=A"),
    // A split: the part that keeps its name keeps its match, and the other one is new.
    ("A", "A B<A", "A=A -=B"),
    // Two parts claim the same match.
    ("A", "B<A C<A", "A=B -=C"),
    // Another part takes over the name.
    ("A B", "B<A", "A=B B=-"),
  ]

  @Test(arguments: table) func `renamed parts are found`(_ old: String, _ new: String, _ pairs: String) {
    let (olds, news) = (things(old), things(new))
    let found = RenamingMatch(old: olds, new: news).pairs.map { pair in
      "\(pair.old.map { olds[$0].name } ?? "-")=\(pair.new.map { news[$0].name } ?? "-")"
    }
    #expect(found.joined(separator: " ") == pairs)
  }

  /// Attributes are small letters, relationships capital ones.
  static let properties: [(old: String, new: String, pairs: String)] = [
    ("a B", "B a", "a=a B=B"),
    // A property keeps its name, and is of another kind.
    ("a", "A", "a=A"),
    ("A", "a B<b", "A=a -=B"),
    // A renamed attribute leaves its name to a relationship, and the other way round.
    ("a", "A b<a", "a=b -=A"),
    ("A", "a B<A", "A=B -=a"),
    // Attributes are matched before what is left is compared with other kinds.
    ("a B", "A b<a", "a=b B=-  -=A"),
  ]

  @Test(arguments: properties)
  func `properties are matched with those of their kind first`(_ old: String, _ new: String, _ pairs: String) {
    func properties(_ text: String) -> [PropertyReference] {
      things(text).map { thing in
        let (name, identifier) = (thing.name.lowercased(), thing.identifier?.lowercased())
        return thing.name == name
          ? .attribute(AttributeDescription(name: name, type: .string, renamingIdentifier: identifier))
          : .relationship(
            RelationshipDescription(name: name, destinationEntityName: "E", renamingIdentifier: identifier))
      }
    }
    func text(_ property: PropertyReference) -> String {
      if case .relationship = property { property.name.uppercased() } else { property.name }
    }
    let (olds, news) = (properties(old), properties(new))
    let found = RenamingMatch(old: olds, new: news).pairs.map { pair in
      "\(pair.old.map { text(olds[$0]) } ?? "-")=\(pair.new.map { text(news[$0]) } ?? "-")"
    }
    #expect(found.joined(separator: " ") == pairs.replacing("  ", with: " "))
  }
}
