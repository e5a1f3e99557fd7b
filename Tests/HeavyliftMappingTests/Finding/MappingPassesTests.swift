import HeavyliftMapping
import HeavyliftModel
import Testing

/// Several files for one pair of versions.
struct MappingPassesTests {
  private static let one = ManagedObjectModel(name: "Music 1", entities: [EntityDescription(name: "Track")])
  private static let two = ManagedObjectModel(
    name: "Music 2",
    entities: [EntityDescription(name: "Track", attributes: [AttributeDescription(name: "title", type: .string)])])

  private func candidate(
    _ file: String, pass: Int? = nil, kind: MappingCandidate.Kind = .written
  ) -> MappingCandidate {
    MappingCandidate(
      file: file, kind: kind,
      mappingModel: MappingModel(
        source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
        entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")], pass: pass))
  }

  private func found(_ candidates: [MappingCandidate], choosing files: [String] = []) -> String {
    do {
      return try MappingSearch(candidates, in: "'Mappings'").choosing(files)
        .mappings(from: Self.one, to: Self.two).map(\.file).joined(separator: ", ")
    } catch {
      return error.description
    }
  }

  @Test func `files with pass numbers run as passes, regardless of their names`() {
    #expect(found([candidate("a", pass: 2), candidate("b", pass: 1)]) == "b, a")
    #expect(found([candidate("a", pass: 1)]) == "a")
  }

  @Test func `two files without pass numbers are an error that names both`() {
    let start =
      "error[mapping.several-mappings]: 2 mappings in 'Mappings' lead from model 'Music 1' to model 'Music 2': "
    #expect(
      found([candidate("a.xml"), candidate("b.xml")]) == start + """
        'a.xml' and 'b.xml'
          keep one of them; or, if they are passes that fill one store, write pass="1", pass="2" … on the <mapping-model> \
        of 'a.xml' and 'b.xml'
        """)
    #expect(
      found([candidate("a.xml", pass: 1), candidate("b.xml")]) == start + """
        'a.xml' and 'b.xml'
          keep one of them; or, if they are passes that fill one store, write pass="…" on the <mapping-model> of 'b.xml'
        """)
    #expect(
      found([candidate("a.xcmappingmodel", kind: .xcode), candidate("b.xcmappingmodel", kind: .xcode)]) == start + """
        'a.xcmappingmodel' and 'b.xcmappingmodel'
          keep one of them, or choose one with '--mapping FILE' (in Swift: MappingSearch.choosing). Xcode's files cannot \
        declare passes: to run several, name each with '--mapping', in order
        """)
  }

  @Test func `passes are numbered from 1, without gaps and duplicates`() {
    #expect(
      found([candidate("a.xml", pass: 1), candidate("b.xml", pass: 1)]) == """
        error[mapping.repeated-pass]: 'a.xml' and 'b.xml' are both pass 1 from model 'Music 1' to model 'Music 2'
          number the passes 1, 2 … in the order in which they run
        """)
    #expect(
      found([candidate("a.xml", pass: 1), candidate("b.xml", pass: 3)]) == """
        error[mapping.missing-pass]: 'b.xml' is pass 3 from model 'Music 1' to model 'Music 2', but no file is pass 2
          add the file for pass 2, or number the passes without gaps
        """)
    #expect(
      found([candidate("b.xml", pass: 2)]) == """
        error[mapping.missing-pass]: 'b.xml' is pass 2 from model 'Music 1' to model 'Music 2', but no file is pass 1
          add the file for pass 1, or remove 'pass' if this is the only file for these versions
        """)
  }

  @Test func `files run in the order in which they are named`() {
    let candidates = ["a", "b", "c"].map { candidate($0, kind: .xcode) }
    #expect(found(candidates, choosing: ["b"]) == "b")
    #expect(found(candidates, choosing: ["c", "a"]) == "c, a")
    #expect(
      found([candidate("1-2.xml")], choosing: ["1-3.xml"]) == """
        error[mapping.no-such-file]: there is no mapping file '1-3.xml' in 'Mappings'
          did you mean '1-2.xml'?
        """)
  }
}
