import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct RebaseCommandTests {
  private static let model = "Bank/Bank.xcdatamodeld/Bank 2.xcdatamodel/contents"

  /// The bank with an edited second version, and the models before the edit in `before`.
  private func edited(_ edit: (old: String, new: String)) throws -> ToolFixture {
    let fixture = try ToolFixture.bank()
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "before.xcdatamodeld")
    try fixture.edit(Self.model, edit)
    return fixture
  }

  private let renamed = ("<attribute name=\"expiresAt\"", "<attribute name=\"validUntil\" elementID=\"expiresAt\"")
  private let replaced = ("<attribute name=\"expiresAt\"", "<attribute name=\"validUntil\"")

  @Test func `renamed parts are renamed in the mapping, and everything else stays`() throws {
    let fixture = try edited(renamed)
    let before = try fixture.text(of: "Bank/1-2.xml")
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld")
        == .init(
          code: .success,
          output: """
            entity mapping 'CardToCard': 2 changes
                attribute 'validUntil'  added    value = FUNCTION($manager, "dateFromNumericRepresentation:", \
            $source.expiry)
                attribute 'expiresAt'   removed  value = FUNCTION($manager, "dateFromNumericRepresentation:", \
            $source.expiry)

            """,
          errors: ""))
    #expect(try fixture.text(of: "Bank/1-2.xml") == before.replacing("expiresAt", with: "validUntil"))
    #expect(fixture.run("check", "--strict", "Bank/1-2.xml").code == .success)
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld")
        == .init(
          code: .success,
          output: """
            nothing changes

            """,
          errors: ""))
  }

  @Test func `the old models may be next to the mapping`() throws {
    let fixture = try ToolFixture.bank()
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "Bank/before.xcdatamodeld")
    try fixture.edit(Self.model, renamed)
    let run = fixture.run("rebase", "Bank/1-2.xml", "--old-model", "Bank/before.xcdatamodeld/")
    #expect(run.code == .success && run.errors == "")
  }

  @Test func `a dry run writes nothing, and --output writes elsewhere`() throws {
    let fixture = try edited(renamed)
    let before = try fixture.files("Bank")
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld", "--dry-run", "--json")
        == .init(
          code: .success,
          output: """
            {
              "changes": {
                "changes": [],
                "entityMappings": [
                  {
                    "difference": "changed",
                    "oldName": "CardToCard",
                    "newName": "CardToCard",
                    "moved": false,
                    "changes": [],
                    "properties": [
                      {
                        "kind": "attribute",
                        "name": "validUntil",
                        "difference": "added",
                        "changes": [
                          {
                            "parameter": "value",
                            "old": null,
                            "new": "FUNCTION($manager, \\"dateFromNumericRepresentation:\\", $source.expiry)"
                          }
                        ]
                      },
                      {
                        "kind": "attribute",
                        "name": "expiresAt",
                        "difference": "removed",
                        "changes": [
                          {
                            "parameter": "value",
                            "old": "FUNCTION($manager, \\"dateFromNumericRepresentation:\\", $source.expiry)",
                            "new": null
                          }
                        ]
                      }
                    ]
                  }
                ]
              },
              "conflicts": [],
              "notes": []
            }

            """,
          errors: ""))
    #expect(try fixture.files("Bank") == before)
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld", "-o", "new.xml").code == .success)
    #expect(try fixture.files("Bank") == before)
    #expect(fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld").code == .success)
    #expect(try fixture.text(of: "new.xml") == fixture.text(of: "Bank/1-2.xml"))
  }

  @Test func `undecidable changes are reported, marked in the file, and refused by the check`() throws {
    let fixture = try edited(replaced)
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld")
        == .init(
          code: .negative,
          output: """
            nothing changes
            Bank/1-2.xml:8:22: error[rebase.property-gone]: entity mapping 'CardToCard' has a value for attribute \
            'expiresAt', which entity 'Card' no longer has
              if it was renamed to 'validUntil', use that name, or give 'validUntil' the renaming identifier \
            'expiresAt' and rebase again; otherwise remove it

            """,
          errors: ""))
    #expect(
      try fixture.text(of: "Bank/1-2.xml") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="Bank 1" destination="Bank 2">
          <!-- Accounts go first: a card's policy may need its account. -->
          <entity-mapping source="Account" destination="Account">
            <relationship name="cards" from="$source.card" mapping="CardToCard"/>
          </entity-mapping>
          <entity-mapping source="Card" destination="Card">
            <!-- rebase: entity mapping 'CardToCard' has a value for attribute 'expiresAt', which entity 'Card' no \
        longer has; if it was renamed to 'validUntil', use that name, or give 'validUntil' the renaming identifier \
        'expiresAt' and rebase again; otherwise remove it -->
            <attribute name="expiresAt" value='FUNCTION($manager, "dateFromNumericRepresentation:", $source.expiry)'/>
          </entity-mapping>
          <!-- Users log in again after an update. -->
          <entity-mapping type="remove" source="Session"/>
        </mapping-model>

        """)
    #expect(
      fixture.run("check", "Bank/1-2.xml")
        == .init(
          code: .negative,
          output: """
            Bank/1-2.xml:9:5: error[mapping.open-conflict]: attribute 'expiresAt' of entity mapping 'CardToCard' \
            has an unresolved conflict: entity mapping 'CardToCard' has a value for attribute \
            'expiresAt', which entity 'Card' no longer has; if it was renamed to 'validUntil', use that name, or give \
            'validUntil' the renaming identifier 'expiresAt' and rebase again; otherwise remove it
              resolve the conflict, and delete the comment that starts with 'rebase:'
            Bank/1-2.xml:9:22: error[mapping.unknown-property]: destination entity 'Card' has no attribute \
            'expiresAt'
              available: 'isBlocked', 'number', 'validUntil'

            2 errors

            """,
          errors: ""))
    // A second run without the old models does not duplicate the mark.
    let marked = try fixture.text(of: "Bank/1-2.xml")
    #expect(
      fixture.run("rebase", "Bank/1-2.xml")
        == .init(
          code: .negative,
          output: """
            nothing changes
            Bank/1-2.xml:9:22: error[rebase.property-gone]: entity mapping 'CardToCard' has a value for attribute \
            'expiresAt', which entity 'Card' no longer has
              move the value to another property, or remove it

            """,
          errors: ""))
    #expect(try fixture.text(of: "Bank/1-2.xml") == marked)
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--dry-run", "--json")
        == .init(
          code: .negative,
          output: """
            {
              "changes": {
                "changes": [],
                "entityMappings": []
              },
              "conflicts": [
                {
                  "severity": "error",
                  "code": "rebase.property-gone",
                  "problem": "entity mapping 'CardToCard' has a value for attribute 'expiresAt', which entity \
            'Card' no longer has",
                  "remedy": "move the value to another property, or remove it",
                  "location": {
                    "file": "Bank/1-2.xml",
                    "line": 9,
                    "column": 22
                  }
                }
              ],
              "notes": []
            }

            """,
          errors: ""))
  }

  @Test func `a file with mistakes is left unchanged`() throws {
    let fixture = try edited(renamed)
    try fixture.edit("Bank/1-2.xml", ("name=\"expiresAt\"", "nam=\"expiresAt\""))
    let before = try fixture.files("Bank")
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "before.xcdatamodeld")
        == .init(
          code: .failure,
          output: "",
          errors: """
            Bank/1-2.xml:8:5: error[mapping-file.missing-name]: element 'attribute' has no 'name'
              add name="…"
            Bank/1-2.xml:8:16: error[mapping-file.unknown-attribute]: element 'attribute' cannot have attribute 'nam'
              did you mean 'name'?

            """))
    #expect(try fixture.files("Bank") == before)
    #expect(
      fixture.run("rebase", "Bank/1-2.xml", "--old-model", "nowhere.xcdatamodeld")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[file.missing]: there is no file or folder 'nowhere.xcdatamodeld'
              check the path

            """))
    #expect(
      fixture.run("rebase")
        == .init(
          code: .usage,
          output: "",
          errors: """
            error[usage.missing-argument]: 'rebase' needs MAPPING: a mapping file
              write 'rebase MAPPING [OPTIONS]'
            see 'heavylift rebase --help'

            """))
    #expect(try fixture.files("Bank") == before)
  }
}
