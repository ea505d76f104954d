import { describe, expect, it } from "vitest";
import { findPeople } from "#renderer/lib/people/find-people.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const [anna, hanna, nameless] = ["a1", "b2", "c3"].map((pair) => pair.repeat(32)) as [string, string, string];
const people = [nameless, hanna, anna];
const names = new Map([
  [anna, "Anna Moser"],
  [hanna, "Hanna Lind"],
]);
const find = (text: string): readonly string[] => findPeople(people, names, { text, command: "Message " });

describe("findPeople", () => {
  it("finds by name, with names that begin so first", () => {
    expect(find("anna")).toEqual([anna, hanna]);
    expect(find("moser ANNA")).toEqual([anna]);
    expect(find("")).toEqual(people);
  });

  it("finds by key and address, nameless ones too", () => {
    expect(find("c3c3c3")).toEqual([nameless]);
    expect(find(formatAddress(nameless).slice(10, 30))).toEqual([nameless]);
  });

  it("takes few characters for the beginning of a key or an address, not for any part of it", () => {
    const inner = formatAddress(nameless).slice(10, 13);
    expect(find(inner)).toEqual([]);
    expect(find("c3c")).toEqual([nameless]);
    expect(find(formatAddress(nameless).slice(0, 5))).toContain(nameless);
  });

  it("takes what every address begins with for none of them", () => {
    for (const text of ["p", "pl", "pl1"]) expect(find(text)).toEqual([]);
  });

  it("takes a word for the command's only where another one follows", () => {
    expect(find("message hanna")).toEqual([hanna]);
    expect(find("message")).toEqual([]);
  });
});
