import Testing

@testable import HeavyliftStore

struct ManagedObjectIDTests {
  @Test func `an ID reads its own URI`() {
    let id = ManagedObjectID(storeIdentifier: "A-B", entityName: "Größe", key: .max)
    #expect(id.uriRepresentation == "x-coredata://A-B/Gr%C3%B6%C3%9Fe/p9223372036854775807")
    #expect(ManagedObjectID(uri: id.uriRepresentation) == id)
    #expect(ManagedObjectID(storeIdentifier: "A", entityName: "E", key: -3).description == "x-coredata://A/E/t3")
  }

  @Test(arguments: [
    "", "x-coredata://", "x-coredata://A/E/", "x-coredata://A/E/p", "x-coredata://A/E/p0", "x-coredata://A/E/p-1",
    "x-coredata://A/E/p+1", "x-coredata://A/E/t1", "x-coredata://A/E/p1/", "x-coredata://A/E/p9223372036854775808",
    "x-coredata:///E/p1", "x-coredata://A//p1", "http://A/E/p1", "x-coredata://A/E/p1x", "x-coredata://A/E/p 1",
  ]) func `only the URI of a saved object yields an ID`(uri: String) {
    #expect(ManagedObjectID(uri: uri) == nil)
  }
}
