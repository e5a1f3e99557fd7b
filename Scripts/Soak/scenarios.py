"""The migrations: their models, mappings and rows, the memory that they may take, and the checks of their results."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from judge import nothing, rows, same_links, same_order
from stores import links, objects

PROJECT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Scenario:
    name: str
    about: str
    memory: int  # the bound, in MiB
    fill: Callable  # given a function that scales numbers of rows, returns the statements that fill the store
    checks: list
    versions: list = field(default_factory=list)  # the models, as in models.py
    mappings: list = field(default_factory=list)  # entity mappings of each hop; a hop without them is inferred
    arguments: list = field(default_factory=list)
    music: bool = False  # the sample with policies, instead of versions and mappings
    pinned: bool = False  # mapping files are inferred, and pin both versions property by property
    processor: int = 0  # the bound on user + sys, in seconds, if the time should not depend on rows; 0 for none
    verify: int = 1  # 'verify' checks one of this many objects; 0 if it is not run
    stores: int = 1  # the number of stores, migrated one after another


def shop():
    before = {"Customer": {"name": "String", "age": "Integer 32", "orders": "many Order.customer"},
              "Order": {"euros": "Integer 32", "note": "String", "customer": "one Customer.orders"}}
    after = {"Customer": {"name": "String", "birthYear": "Integer 32", "orders": "many Order.customer"},
             "Order": {"cents": "Integer 64", "note": "String", "customer": "one Customer.orders"}}
    mapping = """
      <entity-mapping source="Customer" destination="Customer">
        <attribute name="name" value="uppercase:($source.name)"/>
        <attribute name="birthYear" value="2026 - $source.age"/>
      </entity-mapping>
      <entity-mapping source="Order" destination="Order">
        <attribute name="cents" value="$source.euros * 100"/>
      </entity-mapping>"""
    return {
        "versions": [before, after], "mappings": [mapping],
        "checks": [rows("ZCUSTOMER", "n.ZNAME IS upper(o.ZNAME) AND n.ZBIRTHYEAR IS 2026 - o.ZAGE"),
                   rows("ZORDER", "n.ZCENTS IS o.ZEUROS * 100 AND n.ZNOTE IS o.ZNOTE AND n.ZCUSTOMER IS o.ZCUSTOMER")]}


def shop_rows(customers, orders):
    return [*objects("Customer", customers, NAME="'Customer ' || i", AGE="i % 100"),
            *objects("Order", orders, EUROS="i % 10000", NOTE="CASE WHEN i % 3 = 0 THEN 'Note ' || i END",
                     CUSTOMER=f"i * 7919 % {customers} + 1")]


def photos(kind):
    same = "new_digest(n.ZPIXELS) IS old_digest(o.ZPIXELS)" if "external" in kind else "n.ZPIXELS IS o.ZPIXELS"
    entity = {"Photo": {"caption": "String", "pixels": kind}}
    mapping = """
      <entity-mapping source="Photo" destination="Photo">
        <attribute name="caption" value="uppercase:($source.caption)"/>
      </entity-mapping>"""
    return {"versions": [entity, {"Photo": entity["Photo"] | {"stars": "Integer 16"}}], "mappings": [mapping],
            "checks": [rows("ZPHOTO", f"n.ZCAPTION IS upper(o.ZCAPTION) AND {same}")]}


def photo_rows(count, pixels):
    return objects("Photo", count, CAPTION="'Photo ' || i", PIXELS=pixels)


def owners():
    before = {"Item": {"name": "String", "owner": "one Owner.items"},
              "Owner": {"name": "String", "items": "ordered Item.owner", "tags": "many Tag.owners"},
              "Tag": {"name": "String", "owners": "many Owner.tags"}}
    after = before | {"Item": before["Item"] | {"length": "Integer 32"}}
    mapping = """
      <entity-mapping source="Item" destination="Item">
        <attribute name="length" value="length:($source.name)"/>
      </entity-mapping>
      <entity-mapping source="Owner" destination="Owner">
        <attribute name="name" value="uppercase:($source.name)"/>
        <relationship name="tags" value='FUNCTION($manager,
          "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToTag", $source.tags)'/>
      </entity-mapping>"""
    return {
        "versions": [before, after], "mappings": [mapping],
        "checks": [rows("ZITEM", "n.ZLENGTH IS length(o.ZNAME) AND n.ZOWNER IS o.ZOWNER"),
                   same_order("ZITEM", "OWNER"),
                   rows("ZOWNER", "n.ZNAME IS upper(o.ZNAME)"), rows("ZTAG", "n.ZNAME IS o.ZNAME"),
                   same_links("Z_2TAGS")]}


def owner_rows(count):
    return [*objects("Owner", 3, NAME="'Owner ' || i"),
            *objects("Item", count, NAME="'Item ' || i", OWNER="2", FOK_OWNER=f"1024 * ({count} - i)"),
            *objects("Tag", count, NAME="'Tag ' || i"),
            *links("Z_2TAGS", count, Z_2OWNERS="2", Z_3TAGS="i")]


def shelves(hops):
    """Versions that differ in an attribute's name, and mappings that add one to its value."""
    versions = [{"Book": {f"count{number}": "Integer 64", "title": "String", "shelf": "one Shelf.books"},
                 "Shelf": {"label": "String", "books": "many Book.shelf"}} for number in range(hops + 1)]
    mappings = [f"""
      <entity-mapping source="Book" destination="Book">
        <attribute name="count{number + 1}" value="$source.count{number} + 1"/>
      </entity-mapping>""" for number in range(hops)]
    return {"versions": versions, "mappings": mappings,
            "checks": [rows("ZBOOK", f"n.ZCOUNT{hops} IS o.ZCOUNT0 + {hops} AND n.ZTITLE IS o.ZTITLE "
                                     "AND n.ZSHELF IS o.ZSHELF"),
                       rows("ZSHELF", "n.ZLABEL IS o.ZLABEL")]}


def shelf_rows(count):
    shelf_count = max(1, count // 100)
    return [*objects("Shelf", shelf_count, LABEL="'Shelf ' || i"),
            *objects("Book", count, COUNT0="i", TITLE="'Book ' || i", SHELF=f"i * 7919 % {shelf_count} + 1")]


def growing(hops, entities):
    """Versions that each have one attribute more than the one before."""
    names = [f"Part{number:04}" for number in range(entities)]
    before = {name: {f"value{number}": "String" for number in range(10)} for name in names}
    versions = [before | {names[0]: before[names[0]] | {f"added{number}": "String" for number in range(version)}}
                for version in range(hops + 1)]
    return {"versions": versions, "checks": [rows(f"Z{name.upper()}", "n.ZVALUE9 IS o.ZVALUE9") for name in names]}


def growing_rows(entities, each):
    return [statement for number in range(entities)
            for statement in objects(f"Part{number:04}", each, VALUE9="'Value ' || i")]


def many_entities(count):
    """A ring of entities, each with a to-one to the next, and one attribute more in the second version."""
    names = [f"Part{number:04}" for number in range(count)]
    before = {name: {"name": "String", "number": "Integer 64", "next": f"one {names[place + 1 - count]}.previous",
                     "previous": f"many {names[place - 1]}.next"} for place, name in enumerate(names)}
    after = {name: properties | {"note": "String"} for name, properties in before.items()}
    return {"versions": [before, after],
            "checks": [rows(f"Z{name.upper()}", "n.ZNAME IS o.ZNAME AND n.ZNUMBER IS o.ZNUMBER AND n.ZNEXT IS o.ZNEXT")
                       for name in names]}


def entity_rows(count, each):
    return [statement for number in range(count)
            for statement in objects(f"Part{number:04}", each, NAME="'Part ' || i", NUMBER="i",
                                     NEXT=f"i * 7919 % {each} + 1")]


def music(**others):
    return {
        "music": True, "versions": [], "arguments": ["--version", "Music 2"],
        "checks": [rows("ZTRACK", "n.ZTITLE IS o.ZTITLE AND n.ZDURATION IS o.ZSECONDS * 1.0 AND n.ZALBUM IS o.ZALBUM "
                                  "AND n.ZADDEDAT IS json_extract(o.ZJSON, '$.added') - 978307200"),
                   rows("ZALBUM", "n.ZTITLE IS o.ZTITLE AND n.ZYEAR IS o.ZYEAR"),
                   same_order("ZTRACK", "ALBUM"),
                   nothing("artists of tracks", "SELECT count(*) FROM (SELECT t.Z_PK AS track, j.value AS artist "
                           "FROM old.ZTRACK t, json_each(t.ZJSON, '$.artists') j EXCEPT "
                           "SELECT l.Z_3TRACKS, a.ZNAME FROM main.Z_2TRACKS l JOIN main.ZARTIST a "
                           "ON a.Z_PK = l.Z_2ARTISTS)"),
                   nothing("number of artists", "SELECT (SELECT count(*) FROM main.ZARTIST) - (SELECT count(DISTINCT "
                           "j.value) FROM old.ZTRACK t, json_each(t.ZJSON, '$.artists') j)")]} | others


def music_rows(tracks, albums, artists):
    return [*objects("Album", albums, TITLE="'Album ' || i", YEAR="1900 + i % 100"),
            *objects("Track", tracks, TITLE="'Track ' || i", SECONDS="i % 1000", ALBUM=f"i * 7919 % {albums} + 1",
                     FOK_ALBUM=f"1024 * ({tracks} - i)",
                     JSON=f"json_object('artists', json_array('Artist ' || (i % {artists}), "
                          f"'Artist ' || (i * 31 % {artists})), 'added', 978307200 + i)")]


SCENARIOS = [
    Scenario("rows", "10 million rows: 2 million customers and their 8 million orders, declared", 96,
             lambda scaled: shop_rows(scaled(2_000_000), scaled(8_000_000)), verify=100, **shop()),
    Scenario("store", "a store beyond 4 GiB: 17,000 values of 256 KiB in its rows", 96,
             lambda scaled: photo_rows(scaled(17_000), "randomblob(262144)"), **photos("Binary")),
    # SQLite holds a whole value in memory, once while reading it and once while writing it.
    Scenario("value", "one value of 500 MB in its row", 1100,
             lambda scaled: photo_rows(3, f"randomblob(iif(i = 2, {scaled(500_000_000)}, 10))"), **photos("Binary")),
    Scenario("value-limit", "one value as long as SQLite allows in a row, 1 GB", 2100,
             lambda scaled: photo_rows(3, f"randomblob(iif(i = 2, {scaled(999_999_900)}, 10))"), **photos("Binary")),
    Scenario("value-external", "one value of 500 MB in a file of its own", 96,
             lambda scaled: photo_rows(3, f"iif(i = 2, external_value({scaled(500_000_000)}), x'0101')"),
             **photos("Binary external")),
    Scenario("to-many", "one object with 1 million targets of an ordered to-many and of a many-to-many, declared", 96,
             lambda scaled: owner_rows(scaled(1_000_000)), **owners()),
    Scenario("hops", "50 hops over 100,000 rows, each with a computed value", 96,
             lambda scaled: shelf_rows(scaled(100_000)), verify=0, **shelves(50)),
    Scenario("hops-written", "50 hops over 100,000 rows, each written and verified", 96,
             lambda scaled: shelf_rows(scaled(100_000)), arguments=["--verify"], verify=0, **shelves(50)),
    Scenario("pinned", "10 hops of 30 entities with 1,000 rows each, with files that pin their versions", 96,
             lambda scaled: growing_rows(30, scaled(1_000)), pinned=True, processor=10, verify=0, **growing(10, 30)),
    Scenario("entities", "500 entities with 2,000 rows each, inferred", 96,
             lambda scaled: entity_rows(500, scaled(2_000)), arguments=["--infer"], **many_entities(500)),
    Scenario("stores", "100 stores of 5,000 rows, one after another, each in its own process", 96,
             lambda scaled: shop_rows(scaled(1_000), scaled(4_000)), stores=100, **shop()),
    # The policy holds its artists, and each of them up to 256 of its tracks.
    Scenario("policy", "1 million tracks and 100,000 albums through a policy, which holds 5,000 artists", 128,
             lambda scaled: music_rows(scaled(1_000_000), scaled(100_000), scaled(5_000)), **music()),
    Scenario("policy-to-many", "1 million tracks of one album and one artist through a policy", 96,
             lambda scaled: music_rows(scaled(1_000_000), 1, 1), **music()),
]
