import { describe, expect, it } from "vitest";
import { parseNodeAddress } from "#renderer/lib/node/access/chosen-node.ts";

describe("the address of another node", () => {
  it.each([
    ["https://node.example:8080", "https://node.example:8080"],
    [" https://node.example/ ", "https://node.example"],
    ["node.example", "https://node.example"],
    ["localhost:8080", "http://localhost:8080"],
    ["127.0.0.1:9", "http://127.0.0.1:9"],
    ["http://10.0.0.7:8080", "http://10.0.0.7:8080"],
  ])("%j is %s", (text, origin) => expect(parseNodeAddress(text)).toBe(origin));

  it.each([
    "",
    "https://",
    "https://user:pass@node.example",
    "https://node.example/path",
    "node.example?x=1",
    "javascript:alert(1)",
    "ftp://x",
  ])("%j is none", (text) => expect(parseNodeAddress(text)).toBeUndefined());
});
