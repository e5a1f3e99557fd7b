import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// A dry run, and `diff`, after objects were split, merged or renamed.
struct MovedObjectTests {
  private let clinic: ClinicFixture

  init() throws { clinic = try ClinicFixture() }

  @Test func `a dry run says what objects and properties became`() throws {
    let before = try clinic.listing()
    let run = clinic.run("migrate", "Clinic.sqlite", "--version", "Clinic 2", "--dry-run", "--quiet")
    #expect(run.code == .success, "\(run)")
    #expect(try clinic.listing() == before)
    let changes = run.output.components(separatedBy: "what would change\n").last?.components(separatedBy: "\n\n").first
    #expect(
      changes == """
          entity       copied  changed  moved here  moved away  created  dropped  defaulted
          CardPayment       0        0           0           2        0        0
          CashPayment       0        0           0           1        0        0
          Cat               0        0           2           0        0        0
          Doctor            0        0           0           1        0        0
          Dog               0        0           3           0        0        0
          Invoice           3        0           0           0        0        0
          Nurse             0        0           0           2        0        0
          Owner             1        0           0           0        0        0
          Payment           0        0           3           0        0        0
          Pet               0        0           0           5        0        1
          Staff             0        0           3           0        0        0
          CardPayment 2 → Payment
          CashPayment 1 → Payment
          Doctor 1 → Staff
          Nurse 2 → Staff
          Pet 5 → 3 Dog, 2 Cat
          Pet: lost: chip, species
          Invoice: issued → issuedAt
          Invoice: cardPayments → payments
          Invoice: cashPayments → payments
          Owner: pets → cats, dogs
        """, "\(run)")
  }

  @Test func `it follows objects through all hops`() throws {
    let run = clinic.run("migrate", "Clinic.sqlite", "--dry-run", "--quiet")
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("\n  Pet 5 → 3 Dog, 2 Cat\n"), "\(run)")
    #expect(run.output.contains("\n  Nurse 2 → Staff\n"), "\(run)")
    #expect(run.output.contains("\n  Doctor: lost: title\n"), "\(run)")
    #expect(run.output.contains("\n  Invoice: lost: issued\n"), "\(run)")
  }

  @Test func `scripts get both sides`() throws {
    let run = clinic.run("migrate", "Clinic.sqlite", "--version", "Clinic 2", "--dry-run", "--json")
    #expect(
      run.output.contains(
        """
              "entity": "Pet",
              "formerEntity": null,
              "copied": 0,
              "changed": 0,
              "movedHere": 0,
              "movedAway": 5,
              "movedTo": {
                "Dog": 3,
                "Cat": 2
              },
              "created": 0,
              "dropped": 1,
        """), "\(run)")
    #expect(
      run.output.contains(
        """
              "lostProperties": [],
              "movedProperties": {
                "issued": [
                  "issuedAt"
                ],
        """), "\(run)")
  }

  @Test func `an object that a policy creates with another key is not dropped`() throws {
    let library = try ToolFixture()
    try library.write(
      """
      <mapping-model source="Library" destination="Library 2">
        <entity-mapping source="Book" destination="Book" policy="Reprint"/>
      </mapping-model>
      """, to: "1-2.xml")
    let code = MigrationCode(policies: PolicyRegistry(Reprint.self))
    let run = library.run(["migrate", "Library.sqlite", "--dry-run", "--quiet"], code: code)
    #expect(run.code == .success, "\(run)")
    // The author's books have other keys.
    #expect(
      run.output.contains(
        """
        what would change
          entity  copied  changed  moved here  moved away  created  dropped  defaulted
          Author       0        1           0           0        0        0
          Book         0        0           2           2        0        0
          Novel        1        0           0           0        0        0

        """), "\(run)")
  }

  /// Creates each book anew, with a key of its own.
  private final class Reprint: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let book = try manager.destinationContext.insert("Book")
      for name in ["title", "pages"] { book[name] = source[name] }
      try manager.associate(sourceInstance: source, withDestinationInstance: book, for: mapping)
    }
  }

  // MARK: diff

  private func migrate() {
    let run = clinic.run(
      "migrate", "Clinic.sqlite", "--version", "Clinic 2", "--to", "New.sqlite", "--provenance", "Origins.sqlite",
      "--quiet")
    #expect(run.code == .success, "\(run)")
  }

  @Test func `diff follows the provenance and the mappings`() throws {
    migrate()
    let run = clinic.run(
      "diff", "Clinic.sqlite", "New.sqlite", "-m", "Clinic.xcdatamodeld", "--provenance", "Origins.sqlite")
    #expect(run.code == .negative)
    #expect(
      run.output == """
        the 4 objects in both stores are the same in all properties that both stores have

          entity   same  added  removed  changed
          Invoice     3      0        0        0
          Owner       1      0        0        0

        CardPayment 2 → Payment
        CashPayment 1 → Payment
        Doctor 1 → Staff
        Nurse 2 → Staff
        Pet 5 → 3 Dog, 2 Cat

        entity 'Invoice'
          'issued' → 'issuedAt'
          'cardPayments' → 'payments'
          'cashPayments' → 'payments'

        entity 'Owner'
          'pets' → 'cats', 'dogs'

        only in Clinic.sqlite: entity 'CardPayment' with 2 objects (2 moved away)
        only in Clinic.sqlite: entity 'CashPayment' with 1 object (1 moved away)
        only in Clinic.sqlite: entity 'Doctor' with 1 object (1 moved away)
        only in Clinic.sqlite: entity 'Nurse' with 2 objects (2 moved away)
        only in Clinic.sqlite: entity 'Pet' with 6 objects (5 moved away, 1 dropped)
        only in New.sqlite: entity 'Cat' with 2 objects (2 moved here)
        only in New.sqlite: entity 'Dog' with 3 objects (3 moved here)
        only in New.sqlite: entity 'Payment' with 3 objects (3 moved here)
        only in New.sqlite: entity 'Staff' with 3 objects (3 moved here)

        """, "\(run)")
  }

  @Test func `without a provenance, diff names what the mapping turns an entity into`() throws {
    migrate()
    let run = clinic.run("diff", "Clinic.sqlite", "New.sqlite", "-m", "Clinic.xcdatamodeld")
    #expect(
      run.output.contains(
        "only in Clinic.sqlite: entity 'Pet' with 6 objects, which the mapping turns into 'Cat', 'Dog' (--provenance "
          + "shows how many)\n"), "\(run)")
    #expect(run.output.contains("\n  'issued' → 'issuedAt'\n"), "\(run)")
    try FileManager.default.removeItem(at: clinic.folder.appending("1-2.xml"))
    let unknown = clinic.run("diff", "Clinic.sqlite", "New.sqlite", "-m", "Clinic.xcdatamodeld")
    #expect(unknown.output.contains("only in Clinic.sqlite: entity 'Pet' with 6 objects\n"), "\(unknown)")
  }

  @Test func `a provenance of other stores is refused, and one for models is useless`() throws {
    migrate()
    let other = try ClinicFixture()
    try FileManager.default.copyItem(
      at: other.folder.appending("Clinic.sqlite"), to: clinic.folder.appending("Other.sqlite"))
    let run = clinic.run(
      "diff", "Other.sqlite", "New.sqlite", "-m", "Clinic.xcdatamodeld", "--provenance", "Origins.sqlite")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[diff.other-provenance]: provenance 'Origins.sqlite' is of other stores: it does not name 'Other.sqlite'
              give the file that the migration from 'Other.sqlite' to 'New.sqlite' wrote

            """), "\(run)")
    let models = clinic.run(
      "diff", "Clinic.xcdatamodeld", "Clinic.xcdatamodeld", "--provenance", "Origins.sqlite")
    #expect(models.code == .usage && models.errors.contains("'--provenance' of 'diff' are for two stores"), "\(models)")
  }
}
