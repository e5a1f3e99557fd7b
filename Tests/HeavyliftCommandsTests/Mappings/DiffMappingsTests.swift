import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `diff` of mappings.
struct DiffMappingsTests {
  /// The bank with `1-2.xml` and a version of it that takes fewer cards and changes their numbers.
  private func edited() throws -> ToolFixture {
    let fixture = try ToolFixture.bank()
    try fixture.copy("Bank/1-2.xml", to: "Bank/new.xml")
    try fixture.edit(
      "Bank/new.xml",
      (
        "<entity-mapping source=\"Card\" destination=\"Card\">",
        "<entity-mapping source=\"Card\" destination=\"Card\" where=\"expiry > 0\">\n"
          + "    <attribute name=\"number\" value=\"uppercase:($source.number)\"/>"
      ), (" mapping=\"CardToCard\"", ""))
    return fixture
  }

  @Test func `mapping files are compared as they are written`() throws {
    let fixture = try edited()
    #expect(
      fixture.run("diff", "Bank/1-2.xml", "Bank/new.xml")
        == .init(
          code: .negative,
          output: """
            what the mappings say: from Bank/1-2.xml to Bank/new.xml

            entity mapping 'AccountToAccount': 1 change
                relationship 'cards'  value  the counterparts of $source.card through 'CardToCard' → the counterparts of \
            $source.card

            entity mapping 'CardToCard': 2 changes
                itself              where  none → expiry > 0
                attribute 'number'  added  value = uppercase:($source.number)

            """,
          errors: ""))
    #expect(
      fixture.run("diff", "Bank/1-2.xml", "Bank/1-2.xml")
        == .init(
          code: .success,
          output: """
            what the mappings say: from Bank/1-2.xml to Bank/1-2.xml

            no difference

            """,
          errors: ""))
  }

  @Test func `with --model they are compared by their effect`() throws {
    let fixture = try edited()
    #expect(
      fixture.run("diff", "Bank/1-2.xml", "Bank/new.xml", "--model", "Bank/Bank.xcdatamodeld")
        == .init(
          code: .negative,
          output: """
            what the mappings do: from Bank/1-2.xml to Bank/new.xml

            entity mapping 'CardToCard': 2 changes
                itself              where  none → expiry > 0
                attribute 'number'  value  $source.number → uppercase:($source.number)

            """,
          errors: ""))
    // The same mapping, written differently.
    try fixture.copy("Bank/1-2.xml", to: "Bank/long.xml")
    try fixture.edit(
      "Bank/long.xml",
      (
        "    <relationship name=\"cards\"",
        "    <attribute name=\"number\" value=\"$source.number\"/>\n    <relationship name=\"cards\""
      ), (" type=\"remove\"", ""))
    #expect(fixture.run("diff", "Bank/1-2.xml", "Bank/long.xml").code == .negative)
    #expect(
      fixture.run("diff", "Bank/1-2.xml", "Bank/long.xml", "-m", "Bank/Bank.xcdatamodeld")
        == .init(
          code: .success,
          output: """
            what the mappings do: from Bank/1-2.xml to Bank/long.xml

            no difference

            """,
          errors: ""))
  }

  @Test func `JSON contains the same differences`() throws {
    let fixture = try edited()
    #expect(
      fixture.run("diff", "--json", "Bank/1-2.xml", "Bank/new.xml")
        == .init(
          code: .negative,
          output: """
            {
              "from": "Bank/1-2.xml",
              "to": "Bank/new.xml",
              "same": false,
              "comparesMeaning": false,
              "changes": [],
              "entityMappings": [
                {
                  "difference": "changed",
                  "oldName": "AccountToAccount",
                  "newName": "AccountToAccount",
                  "moved": false,
                  "changes": [],
                  "properties": [
                    {
                      "kind": "relationship",
                      "name": "cards",
                      "difference": "changed",
                      "changes": [
                        {
                          "parameter": "value",
                          "old": "the counterparts of $source.card through 'CardToCard'",
                          "new": "the counterparts of $source.card"
                        }
                      ]
                    }
                  ]
                },
                {
                  "difference": "changed",
                  "oldName": "CardToCard",
                  "newName": "CardToCard",
                  "moved": false,
                  "changes": [
                    {
                      "parameter": "where",
                      "old": null,
                      "new": "expiry > 0"
                    }
                  ],
                  "properties": [
                    {
                      "kind": "attribute",
                      "name": "number",
                      "difference": "added",
                      "changes": [
                        {
                          "parameter": "value",
                          "old": null,
                          "new": "uppercase:($source.number)"
                        }
                      ]
                    }
                  ]
                }
              ]
            }

            """,
          errors: ""))
  }

  @Test func `a mapping is compared only with a mapping`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("diff", "Bank/1-2.xml")
        == .init(
          code: .usage,
          output: "",
          errors: """
            error[usage.missing-argument]: 'diff' needs a second mapping to compare with
              write 'diff A [B] [OPTIONS]'
            see 'heavylift diff --help'

            """))
    #expect(
      fixture.run("diff", "Bank/Bank.xcdatamodeld", "Bank/1-2.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[diff.mixed]: 'Bank/1-2.xml' is a mapping and 'Bank/Bank.xcdatamodeld' is a model
              give two mappings; 'heavylift check MAPPING --model MODEL' shows whether a mapping fits its models

            """))
    #expect(
      fixture.run("diff", "Library.sqlite", "Bank/1-2.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[diff.mixed]: 'Bank/1-2.xml' is a mapping and 'Library.sqlite' is a store
              give two mappings; 'heavylift check MAPPING --model MODEL' shows whether a mapping fits its models

            """))
    #expect(
      fixture.run("diff", "Bank/1-2.xml", "Bank/2-3.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[file.missing]: there is no file or folder 'Bank/2-3.xml'
              check the path

            """))
  }
}
