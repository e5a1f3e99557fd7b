import Heavylift
import Testing

private final class OnePolicy: EntityMigrationPolicy {}
private final class OtherPolicy: EntityMigrationPolicy {
  override var functions: [String: PolicyFunction] { ["a:b:": PolicyFunction { (a: Int, b: Int) in a + b }] }
}

@Suite struct PolicyRegistryTests {
  @Test(arguments: ["OnePolicy", "HeavyliftTests.OnePolicy", "Elsewhere.OnePolicy"])
  func `a policy is found with and without a module`(name: String) throws {
    #expect(try PolicyRegistry(OnePolicy.self, OtherPolicy.self).policy(named: name) == OnePolicy.self)
  }

  @Test func `an old name can be kept`() throws {
    var policies = PolicyRegistry()
    policies.register(OnePolicy.self, as: "Old.Name")
    #expect(try policies.policy(named: "Name") == OnePolicy.self)
    #expect(try policies.policy(named: "Old.Name") == OnePolicy.self)
    policies.register(OtherPolicy.self, as: "New.Name")
    #expect(try policies.policy(named: "New.Name") == OtherPolicy.self)
    #expect(policies.names == ["Name"])
    #expect(
      message { _ = try policies.policy(named: "Name") } == """
        error[migration.ambiguous-policy]: policy name 'Name' is ambiguous: it can mean 'New.Name' or 'Old.Name'
          put the module before the name
        """)
  }

  @Test func `a wrong name gets the nearest one as a suggestion`() {
    let policies = PolicyRegistry(OnePolicy.self, OtherPolicy.self)
    #expect(
      message { _ = try policies.policy(named: "Library.OnePolcy") } == """
        error[migration.unknown-policy]: there is no policy 'Library.OnePolcy'
          register the class with the PolicyRegistry; did you mean 'OnePolicy'?
        """)
    #expect(policies.signatures(ofPolicyNamed: "OtherPolicy").map { Array($0.keys) } == ["a:b:"])
    #expect(policies.signatures(ofPolicyNamed: "None") == nil)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
