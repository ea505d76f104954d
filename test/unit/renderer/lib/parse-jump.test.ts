import { describe, expect, it } from "vitest";
import { parseJump } from "#renderer/lib/commands/parse-jump.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const ADDRESS = formatAddress(KEY);

describe("parseJump", () => {
  it("reads digits as a height", () => {
    expect(parseJump(" 12345 ")).toEqual([{ kind: "block", height: 12345 }]);
  });

  it("reads an address of either case", () => {
    expect(parseJump(ADDRESS)).toEqual([{ kind: "account", publicKey: KEY }]);
    expect(parseJump(ADDRESS.toUpperCase())).toEqual([{ kind: "account", publicKey: KEY }]);
  });

  it("offers both readings of 64 hex digits", () => {
    expect(parseJump(KEY.toUpperCase()).map(({ kind }) => kind)).toEqual(["account", "transaction"]);
  });

  it("reads a transaction id", () => {
    const id = `tx1${"0".repeat(16)}${KEY}`;
    expect(parseJump(id)).toEqual([{ kind: "transaction", id }]);
  });

  it("reads a name after @", () => {
    expect(parseJump("@Ada")).toEqual([{ kind: "name", name: "ada" }]);
  });

  it.each(["", "pay", "two words", "@", "@two words", `${ADDRESS.slice(0, -1)}!`, "9".repeat(16).concat(" x")])(
    "makes nothing of %j",
    (text) => {
      expect(parseJump(text)).toEqual([]);
    },
  );
});
