import HeavyliftExpression

/// Finds a registered policy by the class that a mapping names, with or without its module.
struct PolicyNames: Sendable {
  private let policies: [String: [String: FunctionSignature]]
  /// The registered names, by class name without the module.
  private let bareNames: [String: String]

  init(_ policies: [String: [String: FunctionSignature]]) {
    self.policies = policies
    bareNames = Dictionary(policies.keys.map { (Self.withoutModule($0), $0) }, uniquingKeysWith: min)
  }

  /// Returns the policy's functions by selector, or `nil` if the policy is unknown.
  func functions(of name: String) -> [String: FunctionSignature]? {
    if let exact = policies[name] { return exact }
    let bare = Self.withoutModule(name)
    if bare != name { return policies[bare] }
    // A name without a module matches the class in any module.
    return bareNames[name].flatMap { policies[$0] }
  }

  private static func withoutModule(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
