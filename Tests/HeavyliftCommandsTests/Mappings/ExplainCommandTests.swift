import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct ExplainCommandTests {
  @Test func `everything that a mapping does is shown, with its origin`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("explain", "Bank/1-2.xml")
        == .init(
          code: .success,
          output: """
            Bank 1 → Bank 2

            AccountToAccount (transform): Account → Account  Bank/1-2.xml:4:3
              balance ← $source.balance                    copied     by name
              holder  ← $source.holder                     copied     by name
              number  ← $source.number                     copied     by name
              cards   ← $source.card through 'CardToCard'  computed   5:5

            CardToCard (transform): Card → Card  Bank/1-2.xml:7:3
              expiresAt ← FUNCTION($manager, "dateFromNumericRepresentation:", $source.expiry)  computed   8:5
              isBlocked ← $source.isBlocked                                                     copied     by name
              number    ← $source.number                                                        copied     by name
              account   ← $source.account through 'AccountToAccount'                            rebuilt    by name

            RemoveSession (remove): Session → -  Bank/1-2.xml:11:3

            """,
          errors: ""))
  }

  @Test func `--entity shows one entity, by its name or the mapping's`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("explain", "Bank/1-2.xml", "--entity", "Account")
        == .init(
          code: .success,
          output: """
            Bank 1 → Bank 2

            AccountToAccount (transform): Account → Account  Bank/1-2.xml:4:3
              balance ← $source.balance                    copied     by name
              holder  ← $source.holder                     copied     by name
              number  ← $source.number                     copied     by name
              cards   ← $source.card through 'CardToCard'  computed   5:5

            """,
          errors: ""))
    let both = fixture.run("explain", "Bank/1-2.xml", "-e", "CardToCard", "-e", "Account")
    #expect(both.code == .success)
    #expect(both.output.split(separator: "\n").filter { $0.contains(": ") && !$0.hasPrefix(" ") }.count == 2)
    #expect(
      fixture.run("explain", "Bank/1-2.xml", "-e", "Acount")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[mapping.unknown-entity]: 'Bank/1-2.xml' has no mapping for entity 'Acount'
              did you mean 'Account'?

            """))
  }

  @Test func `JSON has the whole expressions`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("explain", "Bank/1-2.xml", "-e", "Account", "--json")
        == .init(
          code: .success,
          output: """
            {
              "source": "Bank 1",
              "destination": "Bank 2",
              "pass": null,
              "entityMappings": [
                {
                  "name": "AccountToAccount",
                  "origin": "written",
                  "type": "transform",
                  "source": "Account",
                  "destination": "Account",
                  "filter": null,
                  "sourceExpression": null,
                  "policy": null,
                  "properties": [
                    {
                      "kind": "attribute",
                      "name": "balance",
                      "treatment": "copied",
                      "expression": "$source.balance",
                      "from": null,
                      "through": null,
                      "inverse": null,
                      "default": "CAST(\\"0\\", \\"NSDecimalNumber\\")",
                      "reason": "by name",
                      "location": null
                    },
                    {
                      "kind": "attribute",
                      "name": "holder",
                      "treatment": "copied",
                      "expression": "$source.holder",
                      "from": null,
                      "through": null,
                      "inverse": null,
                      "default": null,
                      "reason": "by name",
                      "location": null
                    },
                    {
                      "kind": "attribute",
                      "name": "number",
                      "treatment": "copied",
                      "expression": "$source.number",
                      "from": null,
                      "through": null,
                      "inverse": null,
                      "default": null,
                      "reason": "by name",
                      "location": null
                    },
                    {
                      "kind": "relationship",
                      "name": "cards",
                      "treatment": "computed",
                      "expression": "FUNCTION($manager, \
            \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"CardToCard\\", $source.card)",
                      "from": "$source.card",
                      "through": [
                        "CardToCard"
                      ],
                      "inverse": null,
                      "default": null,
                      "reason": "written",
                      "location": {
                        "file": "Bank/1-2.xml",
                        "line": 5,
                        "column": 5
                      }
                    }
                  ],
                  "droppedProperties": [],
                  "unreadProperties": [],
                  "location": {
                    "file": "Bank/1-2.xml",
                    "line": 4,
                    "column": 3
                  }
                }
              ],
              "droppedEntities": [],
              "unfilledEntities": []
            }

            """,
          errors: ""))
  }

  @Test func `a file with mistakes is not explained`() throws {
    let fixture = try ToolFixture.bank()
    try fixture.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <mapping-model source="Bank 1" destination="Bank 2">
        <entity-maping source="Account"/>
        <entity-mapping source="Card" destination="Card" where="number =="/>
      </mapping-model>

      """, to: "Bank/mistaken.xml")
    #expect(
      fixture.run("explain", "Bank/mistaken.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            Bank/mistaken.xml:3:3: error[mapping-file.unknown-element]: element 'mapping-model' cannot contain element \
            'entity-maping'
              did you mean 'entity-mapping'?
            Bank/mistaken.xml:4:68: error[expression.expected-expression]: the text ends where an expression is \
            expected
              expected a constant, a key, a variable, a function, '(' or '{'

            """))
    #expect(
      fixture.run("explain", "Bank/Bank.xcdatamodeld")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[mapping-file.not-a-mapping]: 'Bank/Bank.xcdatamodeld' is not a mapping
              pass a mapping file, an .xcmappingmodel, an xcmapping.xml or a .cdm

            """))
    #expect(
      fixture.run("explain", "nowhere.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[file.missing]: there is no file or folder 'nowhere.xml'
              check the path

            """))
    #expect(
      fixture.run("explain", "nowhere.xml", "--json")
        == .init(
          code: .failure,
          output: "",
          errors: """
            {"errors":[{"severity":"error","code":"file.missing","problem":"there is no file or folder \
            'nowhere.xml'","remedy":"check the path","location":null}]}

            """))
  }

  @Test func `dropped and unfilled entities are listed at the end`() throws {
    let fixture = try ToolFixture.bank()
    try fixture.edit(
      "Bank/1-2.xml", (" mapping=\"CardToCard\"", ""), ("  <entity-mapping type=\"remove\" source=\"Session\"/>\n", ""))
    let lines = fixture.run("explain", "Bank/1-2.xml").output.split(separator: "\n")
    #expect(lines.last == "unmapped source entities: Session")
    #expect(lines.contains("  cards   ← $source.card through 'CardToCard'  computed   5:5"))
  }
}
