import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// The report of `heavylift plan` about the data of a store: expressions that can fail for a value, values for which they
/// do, and what every hop loses.
struct PlanDataTests {
  private let clinic: ClinicFixture

  init() throws { clinic = try ClinicFixture() }

  /// The lines of the output from the one that starts with a text, up to the next empty line.
  private func part(_ start: String, of run: ToolFixture.Run) -> String {
    run.output.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(start) }
      .prefix { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Expressions that can fail

  @Test func `an expression that can fail for a value is listed as not checked yet`() throws {
    let run = clinic.run("plan", "Clinic.sqlite")
    #expect(run.code == .success, "\(run)")
    #expect(
      part("these can fail", of: run) == """
        these can fail for a value, and stop the migration (see 'plan --check-data'):
          hop 1: Invoice.issuedAt: CAST($source.issued, "NSNumber")
        """, "\(run)")
    #expect(run.output.hasSuffix("\nnothing else would stop the migration\n"))
  }

  @Test func `so are a filter, a function of the program, and arithmetic`() throws {
    try clinic.write(
      ClinicFixture.firstHop
        .replacing("where=\"species == 'dog'\"", with: "where=\"CAST(born, 'NSNumber') == 2020\"")
        .replacing("CAST($source.issued, 'NSNumber')", with: "FUNCTION($manager, 'seconds:', $source.issued)")
        .replacing(
          "<attribute name=\"issuedAt\"",
          with: "<attribute name=\"number\" value=\"$source.number * 2\"/><attribute name=\"issuedAt\""),
      to: "1-2.xml")
    let code = MigrationCode(functions: ["seconds:": MigrationFunction { (text: String) in Double(text) ?? 0 }])
    let run = clinic.run("plan", "Clinic.sqlite", code: code)
    #expect(
      part("these can fail", of: run) == """
        these can fail for a value, and stop the migration (see 'plan --check-data'):
          hop 1: the filter of 'PetToDog': CAST(born, "NSNumber") == 2020
          hop 1: Invoice.issuedAt: FUNCTION($manager, "seconds:", $source.issued)
          hop 1: Invoice.number: $source.number * 2
        """, "\(run)")
  }

  @Test func `a later hop's expressions are listed, too`() throws {
    try clinic.write(
      ClinicFixture.secondHop.replacing(
        "<drop name=\"method\"/>",
        with: "<attribute name=\"amount\" value=\"CAST($source.method, 'NSNumber')\"/>"), to: "2-3.xml")
    let run = clinic.run("plan", "Clinic.sqlite")
    #expect(
      part("these can fail", of: run).hasSuffix("\n  hop 2: Payment.amount: CAST($source.method, \"NSNumber\")"),
      "\(run)")
    let checked = clinic.run("plan", "Clinic.sqlite", "--check-data")
    #expect(
      part("these can fail", of: checked) == """
        these can fail for a value, and were not evaluated (see 'migrate --dry-run'):
          hop 2: Payment.amount: CAST($source.method, "NSNumber")
        """, "\(checked)")
  }

  @Test func `many expressions of one mapping share a line`() throws {
    var versions = Array(ClinicFixture.versions.prefix(2))
    let names = (1...10).map { "n\($0)" }
    versions[1].entities[versions[1].entities.firstIndex { $0.name == "Staff" } ?? 0].attributes += names.sorted().map {
      AttributeDescription(name: $0, type: .double)
    }
    try ModelBundle(
      versions: zip(["Clinic 1", "Clinic 2"], versions).map { .init(name: $0, model: $1) },
      currentVersionName: "Clinic 2"
    ).write(to: clinic.folder.appending("Clinic.xcdatamodeld"))
    let attributes = names.map { "<attribute name=\"\($0)\" value=\"CAST($source.name, 'NSNumber')\"/>" }.joined()
    try clinic.write(
      ClinicFixture.firstHop.replacing(
        "<entity-mapping source=\"Nurse\" destination=\"Staff\"/>",
        with: "<entity-mapping source=\"Nurse\" destination=\"Staff\">\(attributes)</entity-mapping>"), to: "1-2.xml")
    let run = clinic.run("plan", "Clinic.sqlite")
    #expect(
      part("these can fail", of: run) == """
        these can fail for a value, and stop the migration (see 'plan --check-data'):
          hop 1: 10 expressions of NurseToStaff: n1, n10, n2, n3, n4, n5 and 4 more
          hop 1: 1 expression of InvoiceToInvoice: issuedAt
        """, "\(run)")
  }

  // MARK: Checking the data

  @Test func `the data is checked on request, and nothing is written`() throws {
    let before = try clinic.listing()
    let run = clinic.run("plan", "Clinic.sqlite", "--check-data")
    #expect(run.code == .success, "\(run)")
    #expect(
      run.output.contains(
        """

        checked the data for hop 1, 3 objects: no expression fails, and no attribute's
        value breaks a rule of the new model; later hops check their data when they run

        """), "\(run)")
    #expect(!run.output.contains("can fail for a value"), "\(run)")
    #expect(run.output.hasSuffix("\nnothing else would stop the migration\n"))
    #expect(try clinic.listing() == before)
  }

  @Test func `a value that cannot be converted, and one that breaks a rule, stop the migration`() throws {
    try clinic.change(
      "UPDATE ZINVOICE SET ZISSUED = 'abc' WHERE Z_PK = 1; UPDATE ZINVOICE SET ZISSUED = 'x' WHERE Z_PK = 3; "
        + "UPDATE ZINVOICE SET ZNUMBER = 5000 WHERE Z_PK = 2")
    let before = try clinic.listing()
    let run = clinic.run("plan", "Clinic.sqlite", "--check-data")
    #expect(run.code == .negative)
    #expect(try clinic.listing() == before)
    #expect(
      run.output.components(separatedBy: "\nthis would stop the migration:\n").last == """
        error[expression.cast]: entity mapping 'InvoiceToInvoice', property 'issuedAt': CAST($source.issued, "NSNumber"): \
        a string cannot be converted to 'NSNumber', in 2 objects
            Invoice/p1: issued = "abc"
            Invoice/p3: issued = "x"
        error[migration.1610]: entity mapping 'InvoiceToInvoice', property 'number': $source.number: 'number' is larger \
        than the maximum of 1000, in 1 object
            Invoice/p2: number = 5000
          choose a smaller number, or change the model

        """, "\(run)")
    // The migration stops for the first of them.
    let migrated = clinic.run("migrate", "Clinic.sqlite", "--quiet")
    #expect(migrated.code == .failure && migrated.errors.contains("a string cannot be converted"), "\(migrated)")
  }

  @Test func `scripts get the values as JSON`() throws {
    try clinic.change("UPDATE ZINVOICE SET ZISSUED = 'abc' WHERE Z_PK = 1")
    let run = clinic.run("plan", "Clinic.sqlite", "--check-data", "--json")
    #expect(run.code == .negative)
    #expect(
      run.output.contains(
        """
          "dataCheck": {
            "objects": 3,
            "findings": [
              {
                "entityMapping": "InvoiceToInvoice",
                "entity": "Invoice",
                "property": "issuedAt",
                "expression": "CAST($source.issued, \\"NSNumber\\")",
                "code": "expression.cast",
                "problem": "a string cannot be converted to 'NSNumber'",
                "remedy": null,
                "objects": 1,
                "examples": [
                  {
                    "object": "Invoice/p1",
                    "values": {
                      "issued": "\\"abc\\""
                    }
                  }
                ]
              }
            ],
            "unchecked": []
          },
        """), "\(run)")
    #expect(!clinic.run("plan", "Clinic.sqlite", "--json").output.contains("abc"))
  }

  @Test func `only objects that an entity mapping takes are checked, and a filter that fails is found`() throws {
    try clinic.write(
      ClinicFixture.firstHop.replacing(
        "<entity-mapping source=\"Invoice\" destination=\"Invoice\">",
        with: "<entity-mapping source=\"Invoice\" destination=\"Invoice\" where=\"CAST(issued, 'NSNumber') > 700\">"
      )
      .replacing(
        "<entity-mapping source=\"CardPayment\"",
        with: "<entity-mapping type=\"remove\" source=\"Invoice\"/><entity-mapping source=\"CardPayment\""),
      to: "1-2.xml")
    try clinic.change("UPDATE ZINVOICE SET ZNUMBER = 5000 WHERE ZISSUED = '700'")
    let fine = clinic.run("plan", "Clinic.sqlite", "--check-data")
    #expect(fine.code == .success, "\(fine)")
    try clinic.change("UPDATE ZINVOICE SET ZISSUED = 'abc' WHERE Z_PK = 3")
    let run = clinic.run("plan", "Clinic.sqlite", "--check-data")
    #expect(run.code == .negative, "\(run)")
    #expect(
      run.output.contains(
        "entity mapping 'InvoiceToInvoice', filter CAST(issued, \"NSNumber\") > 700: a string cannot be converted to "
          + "'NSNumber', in 1 object\n    Invoice/p3: issued = \"abc\"\n"), "\(run)")
  }

  @Test func `a function of the program is called, and what a policy decides is left to the migration`() throws {
    struct NotANumber: Error {}
    let code = MigrationCode(
      policies: PolicyRegistry(Accountant.self),
      functions: [
        "seconds:": MigrationFunction { (text: String) in
          guard let seconds = Double(text) else { throw NotANumber() }
          return seconds
        }
      ])
    let mapping = ClinicFixture.firstHop.replacing(
      "CAST($source.issued, 'NSNumber')", with: "FUNCTION($manager, 'seconds:', $source.issued)")
    try clinic.write(mapping, to: "1-2.xml")
    try clinic.change("UPDATE ZINVOICE SET ZISSUED = 'abc' WHERE Z_PK = 1")
    let run = clinic.run("plan", "Clinic.sqlite", "--check-data", code: code)
    #expect(run.code == .negative, "\(run)")
    #expect(run.output.contains("error[expression.failed-function]: "), "\(run)")
    try clinic.write(
      mapping.replacing(
        "source=\"Invoice\" destination=\"Invoice\"",
        with: "source=\"Invoice\" destination=\"Invoice\" policy=\"Accountant\""), to: "1-2.xml")
    let left = clinic.run("plan", "Clinic.sqlite", "--check-data", code: code)
    #expect(left.code == .success, "\(left)")
    #expect(
      part("these can fail", of: left).hasSuffix(
        "\n  hop 1: Invoice.issuedAt: FUNCTION($manager, \"seconds:\", $source.issued), because policy 'Accountant' "
          + "decides"), "\(left)")
  }

  private final class Accountant: EntityMigrationPolicy {}

  // MARK: Losses

  @Test func `what a later hop loses is counted where it is in the store`() throws {
    let lines = clinic.run("plan", "Clinic.sqlite").output.split(separator: "\n").filter { $0.contains("not migrated") }
    #expect(
      lines == [
        // Of the parrot, the mapping says that it is removed.
        "  5 values of 'chip' of entity 'Pet' are not migrated: the mapping drops it",
        "  5 values of 'species' of entity 'Pet' are not migrated: the mapping drops it",
        // One of the dogs has no value.
        "  2 values of 'born' of entity 'Dog' are not migrated: the mapping drops it",
        "  up to 3 values of 'issuedAt' of entity 'Invoice' are not migrated: the mapping drops it",
        "  3 values of 'method' of entity 'Payment' are not migrated: the mapping drops it",
        "  1 value of 'title' of entity 'Staff' is not migrated: the mapping drops it",
      ], "\(lines)")
  }

  @Test func `JSON says which counts are estimates`() throws {
    let output = clinic.run("plan", "Clinic.sqlite", "--json").output
    #expect(
      output.contains(
        """
                  "entity": "Invoice",
                  "property": "issuedAt",
                  "mappings": [
                    "InvoiceToInvoice"
                  ],
                  "reason": "dropped",
                  "unit": "values",
                  "count": 3,
                  "estimate": "up to"
        """), "\(output)")
  }

  @Test func `a filter of a later hop, and the code of an earlier one, make the count an estimate`() throws {
    try clinic.write(
      ClinicFixture.secondHop.replacing(
        "<entity-mapping source=\"Dog\" destination=\"Dog\">",
        with: "<entity-mapping type=\"remove\" source=\"Dog\"/>"
          + "<entity-mapping source=\"Dog\" destination=\"Dog\" where=\"name != 'Rex'\">"), to: "2-3.xml")
    func born(_ code: MigrationCode = MigrationCode()) -> [Substring] {
      clinic.run("plan", "Clinic.sqlite", code: code).output.split(separator: "\n").filter { $0.contains("'born'") }
    }
    #expect(
      born() == ["  up to 2 values of 'born' of entity 'Dog' are not migrated: the mapping drops it"])
    try clinic.write(
      ClinicFixture.firstHop.replacing(
        "source=\"Invoice\" destination=\"Invoice\"",
        with: "source=\"Invoice\" destination=\"Invoice\" policy=\"Accountant\""), to: "1-2.xml")
    #expect(
      born(MigrationCode(policies: PolicyRegistry(Accountant.self)))
        == ["  about 2 values of 'born' of entity 'Dog' are not migrated: the mapping drops it"])
  }
}
