// Topics: what is public, how keys are written, and what is none.
import { describe, expect, it } from "vitest";
import { isPublicTopic, parseTopic } from "#node/api/websocket/topics.ts";
import { TOPICS, type TopicKind, type TopicText } from "#shared/api/socket/topics.ts";
import { alice, deviceKey } from "#test/support/worlds/ledger-world.ts";

const KEYS: Partial<Record<TopicKind, string>> = {
  "account:": alice.pub.toUpperCase(),
  "contract:": "AB".repeat(8),
  "event:": "AB".repeat(8),
  "inbox:": deviceKey(1).toUpperCase(),
  "typing:": deviceKey(2).toUpperCase(),
};

describe("a topic", () => {
  it("is public when it is about blocks, and private otherwise", () => {
    const kinds = Object.keys(TOPICS) as TopicKind[];
    const open = kinds.filter((kind) => isPublicTopic(`${kind}${KEYS[kind] ?? ""}` as TopicText));
    expect(open).toEqual(["blocks", "txs", "account:", "contract:", "event:"]);
    expect(open.map((kind) => TOPICS[kind])).toEqual(["block", "tx", "tx", "tx", "event"]);
  });

  it.each(Object.keys(TOPICS) as TopicKind[])("of the kind %s has one name for every form", (kind) => {
    const key = KEYS[kind] ?? "";
    expect(parseTopic(`${kind}${key}`)).toEqual({ kind, key: key.toLowerCase(), name: `${kind}${key.toLowerCase()}` });
  });

  it.each(["", ":", "block", "blocks:", "toString", "__proto__:x", "inbox", "Blocks", `INBOX:${deviceKey(1)}`])("is not %j", (text) => {
    expect(() => parseTopic(text)).toThrow(
      "topic is blocks, txs, account:<address or key>, contract:<id>, event:<id>[/<event>[/<field>=<value>]], inbox:<x25519 key> or typing:<x25519 key>",
    );
  });

  it.each([
    ["contract:1", "contract: takes a contract id of 16 hex characters"],
    ["inbox:1", "inbox: takes an X25519 key of 64 hex characters"],
    ["typing:", "typing: takes an X25519 key of 64 hex characters"],
  ])("%j has a wrong key", (text, message) => {
    expect(() => parseTopic(text)).toThrow(message);
  });
});
