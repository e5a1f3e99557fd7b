import HeavyliftModel
import HeavyliftExpression

/// The migration policies of a program, by the class names that mapping files use.
///
/// ```swift
/// let policies = PolicyRegistry(BookToBookPolicy.self, UserToUserPolicy.self)
/// ```
///
/// A file names a class with its module (`Library.BookToBookPolicy`, as Xcode names Swift classes) or without. Linux
/// has no runtime that finds classes by name, so you must register every policy.
public struct PolicyRegistry: Sendable {
  private struct Entry {
    var name: String
    var module: String?
    var type: EntityMigrationPolicy.Type
  }

  private var entries: [Entry] = []

  /// Creates a registry of policies, registered under their class names.
  public init(_ policies: EntityMigrationPolicy.Type...) {
    for policy in policies { register(policy) }
  }

  /// Registers a policy under its class name, or under another name that files use for it. A policy registered under
  /// the same name is replaced.
  ///
  /// - Parameters:
  ///   - policy: The policy class.
  ///   - name: The name, with or without a module. If you renamed a class after a file was written, register it under
  ///     its old name, too.
  public mutating func register(_ policy: EntityMigrationPolicy.Type, as name: String? = nil) {
    let own = Self.split(String(reflecting: policy))
    let entry =
      name.map { given in
        let (name, module) = Self.split(given)
        return Entry(name: name, module: module, type: policy)
      } ?? Entry(name: String(describing: policy), module: own.module, type: policy)
    entries.removeAll { $0.name == entry.name && $0.module == entry.module }
    entries.append(entry)
  }

  /// The registered names without modules, sorted.
  public var names: [String] { Set(entries.map(\.name)).sorted() }

  /// Returns the policy that is registered under a class name.
  ///
  /// - Throws: `Diagnostic` if there is none, or if several modules have a class with that name and the name has no
  ///   module.
  public func policy(named name: String) throws -> EntityMigrationPolicy.Type {
    let (last, module) = Self.split(name)
    let candidates = entries.filter { $0.name == last || $0.name == name }
    if let exact = candidates.first(where: { $0.module == module || $0.name == name }), module != nil {
      return exact.type
    }
    if candidates.count > 1 {
      let full = candidates.map { [$0.module, $0.name].compactMap(\.self).joined(separator: ".") }.sorted()
      throw Diagnostic(
        .error, code: "migration.ambiguous-policy",
        problem: "policy name '\(name)' is ambiguous: it can mean \(full.map { "'\($0)'" }.joined(separator: " or "))",
        remedy: "put the module before the name")
    }
    guard let found = candidates.first else {
      throw Diagnostic(
        .error, code: "migration.unknown-policy", problem: "there is no policy '\(name)'",
        remedy: names.isEmpty
          ? "register the class with the PolicyRegistry"
          : "register the class with the PolicyRegistry; " + names.suggestion(for: last, kind: "registered policy"))
    }
    return found.type
  }

  /// Returns the functions that expressions may call on a policy, by selector; `nil` if there is no such policy.
  public func signatures(ofPolicyNamed name: String) -> [String: FunctionSignature]? {
    guard let type = try? policy(named: name) else { return nil }
    return type.init().knownFunctions.mapValues(\.signature)
  }

  /// Reports functions of policies that no expression could call; see `[String: MigrationFunction].mistakes(of:)`.
  package func functionMistakes(ofPoliciesNamed names: some Sequence<String>) -> [Diagnostic] {
    names.flatMap { name in
      (try? policy(named: name))?.init().knownFunctions.mistakes(of: "policy '\(name)'") ?? []
    }
  }

  /// The functions that expressions may call on each policy, by the policy's name with and without its module, for
  /// checks of mappings.
  public var signatures: [String: [String: FunctionSignature]] {
    var signatures: [String: [String: FunctionSignature]] = [:]
    for entry in entries {
      let own = entry.type.init().knownFunctions.mapValues(\.signature)
      signatures[entry.name] = own
      if let module = entry.module { signatures["\(module).\(entry.name)"] = own }
    }
    return signatures
  }

  /// Splits a class name: `Module.Outer.Policy` is the policy `Policy` of `Module.Outer`.
  private static func split(_ name: String) -> (name: String, module: String?) {
    guard let dot = name.lastIndex(of: ".") else { return (name, nil) }
    return (String(name[name.index(after: dot)...]), String(name[..<dot]))
  }
}
