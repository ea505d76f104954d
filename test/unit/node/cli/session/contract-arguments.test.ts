// Arguments of contracts as a person writes them: keys as addresses and usernames where the interface has an address.
import { describe, expect, it } from "vitest";
import { argumentsJson, methodOf } from "#node/cli/session/contracts/abi-arguments.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type ContractAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

const CONTRACT = "0123456789ABCDEF";
const ABI_JSON = JSON.stringify({
  contract: "shop",
  version: "1",
  methods: [
    { name: "pay", args: [arg("to", "string", "address"), arg("note", "string")] },
    { name: "split", args: [arg("shares", "json", "Share[]"), arg("watchers", "json", "address[]?")] },
    { name: "nest", args: [arg("tree", "json", "Tree")] },
    { name: "plain", args: [arg("to", "string"), arg("any", "json")] },
  ],
  structs: [
    { name: "Share", fields: [field("who", "address"), field("amount", "u64"), field("name", "string")] },
    { name: "Tree", fields: [field("left", "Tree?"), field("leaf", "address?")] },
  ],
});

function arg(name: string, type: string, format?: string): object {
  return { name, type, ...(format === undefined ? {} : { format }) };
}

function field(name: string, type: string): object {
  return { name, type };
}

const abi = readAbi();
function readAbi(): ContractAbi {
  const parsed = parseContractAbi(ABI_JSON);
  assertInvariant(parsed !== undefined, "It is an ABI");
  return parsed;
}

/** A node with one username; notes what it was asked. */
function nodeOf(asked: string[] = []): NodeClient {
  return {
    listWellKnownContracts: async () => ({ contracts: { username_registry: { contract_id: "cf1b4e9beb899076" } } }),
    getContractState: async ({ key }: { readonly key: string }) => {
      asked.push(key);
      return { value_b64: key === "name:bob" ? toBase64(utf8(bob.pub)) : null };
    },
  } as unknown as NodeClient;
}

const json = (method: string, texts: readonly string[], asked?: string[]): Promise<string> =>
  argumentsJson({ client: nodeOf(asked), context: {}, abi }, methodOf(abi, method), texts);

describe("an argument of the type address", () => {
  it.each([
    ["an address", formatAddress(alice.pub), alice.pub],
    ["a key in capitals", alice.pub.toUpperCase(), alice.pub],
    ["a username", "@Bob", bob.pub],
    ["a contract's id", CONTRACT, CONTRACT.toLowerCase()],
  ])("is hex from %s", async (_what, text, hex) => {
    expect(await json("pay", [text, "@bob"])).toBe(`["${hex}","@bob"]`);
  });

  it("is refused by its name where it means no account", async () => {
    await expect(json("pay", ["@carol", ""])).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "to: No account has the username @carol",
    });
    const wrong = `${formatAddress(alice.pub).slice(0, -1)}x`;
    for (const text of ["", "bob", wrong, `${alice.pub}00`])
      await expect(json("pay", [text, ""])).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(/^to: "/) });
  });
});

describe("addresses inside of JSON", () => {
  it("are replaced in lists and structs, and nothing else changes", async () => {
    const asked: string[] = [];
    const shares = `[{"who":"@bob","amount":18446744073709551615,"name":"@bob"},{"who":"${formatAddress(alice.pub)}","amount":1,"name":"\\"x\\""}]`;
    const expected = `[[{"who":"${bob.pub}","amount":18446744073709551615,"name":"@bob"},{"who":"${alice.pub}","amount":1,"name":"\\"x\\""}],["${bob.pub}"]]`;
    expect(await json("split", [shares, '["@bob"]'], asked)).toBe(expected);
    expect(asked).toEqual(["name:bob", "name:bob"]);
    expect(await json("split", ["[]", "null"])).toBe("[[],null]");
  });

  it("are found in structs of themselves", async () => {
    expect(await json("nest", ['{"left":{"left":null,"leaf":"@bob"},"leaf":null}'])).toBe(
      `[{"left":{"left":null,"leaf":"${bob.pub}"},"leaf":null}]`,
    );
  });

  it("leave what does not fit the type to the contract, members of any name too", async () => {
    expect(await json("split", ['[{"__proto__":"@bob","who":5}]', '{"a":["@bob"]}'])).toBe(
      '[[{"__proto__":"@bob","who":5}],{"a":["@bob"]}]',
    );
  });

  it("are asked of the node in bounds", async () => {
    const names = JSON.stringify(Array.from({ length: 300 }, (_, index) => `@bob${index}`));
    const asked: string[] = [];
    const client = {
      ...nodeOf(),
      getContractState: async ({ key }: { readonly key: string }) => {
        asked.push(key);
        return { value_b64: toBase64(utf8(bob.pub)) };
      },
    } as unknown as NodeClient;
    await expect(argumentsJson({ client, context: {}, abi }, methodOf(abi, "split"), ["[]", names])).rejects.toThrow(
      "more than 256 usernames",
    );
    expect(asked).toHaveLength(256);
  });
});

describe("arguments of other types", () => {
  it("stay as they are written, and ask nothing", async () => {
    const asked: string[] = [];
    expect(await json("plain", ["@bob", '["@bob"]'], asked)).toBe('["@bob",["@bob"]]');
    expect(asked).toEqual([]);
  });
});
