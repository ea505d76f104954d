// The table "who can write version 1 as another device" of docs/messages.md: each row forges with all that it holds, and the interpreter of
// real devices says what is taken.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import type { KnownBody } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import { newPairRecord, OLD_FORM_DAYS, type PairRecord, withProof } from "#shared/messenger/pairs/pair-record.ts";
import { takeContent } from "#shared/messenger/pairs/take-content.ts";
import { InOldForm, interpretEnvelope } from "#shared/messenger/receiving/interpret-envelope.ts";
import { boxKeyPair, boxSharedKey, openEnvelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { toHex } from "#shared/util/bytes.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

const CHAIN = "parley-test";
const [RECIPIENT, SENDER, THIRD] = ["0b".repeat(32), "0a".repeat(32), "0c".repeat(32)];
const BOUND_ON = 5;
const HEAD = "| who | until the pair was bound for `OLD_FORM_DAYS` (37) counted days | after that |";

interface Side {
  readonly master: string;
  readonly secret: Uint8Array;
  readonly device: string;
}

function sideOf(master: string): Side {
  const secret = systemRandom(32);
  return { master, secret, device: toHex(boxKeyPair(secret).publicKey) };
}

/** A pair in which the other device has shown a card and sealed to one of this device's. */
function boundPair({ master, device }: Side): PairRecord {
  const instance = "bb".repeat(8);
  const card = { id: cardId(instance, 1), kem: Uint8Array.of(1), x: Uint8Array.of(1), psk: Uint8Array.of(1) };
  const content = { cardId: "", id: "01".repeat(16), at: 0, stream: { instance, last: 0, base: 0 }, card };
  const fresh = newPairRecord(master, device, "aa".repeat(8), 0);
  const { state } = takeContent(fresh.state, content, { now: { ownMs: 0, blockMs: 0 }, day: 0, isStranger: false, spread: 0 });
  return withProof({ ...fresh, isProven: true, state }, instance, BOUND_ON);
}

class Scene {
  readonly recipient = sideOf(RECIPIENT);
  readonly sender = sideOf(SENDER);
  readonly third = sideOf(THIRD);
  readonly #day: number;

  constructor(day: number) {
    this.#day = day;
  }

  /** Whether the recipient takes it as of a device, where one of these secrets makes its box. */
  async takes(held: readonly Uint8Array[], author: Side, body: KnownBody): Promise<boolean> {
    const tries = await Promise.all(held.map((secret) => this.#takesBox(secret, author, body)));
    return tries.includes(true);
  }

  async #takesBox(secret: Uint8Array, author: Side, body: KnownBody): Promise<boolean> {
    const { recipient } = this;
    // Each of the two secrets makes the key of the box, with the other one's public key.
    const other = toHex(boxKeyPair(secret).publicKey) === recipient.device ? author.device : recipient.device;
    const frame = { id: toHex(systemRandom(16)), from: author.master, fromDevice: author.device, to: recipient.master };
    const plaintext = encodeContent({ ...frame, chainId: CHAIN, at: 0, body });
    const sender = { publicKey: Buffer.from(author.device, "hex"), secretKey: secret };
    const input = { plaintext, recipientPub: recipient.device, sender, senderMasterPub: "", nonce: systemRandom(24), sentAt: 0 };
    const envelope = sealEnvelope(input, boxSharedKey(secret, other));
    const opened = openEnvelope(envelope, recipient.secret);
    if (opened === undefined) return false;
    try {
      const received = await interpretEnvelope(this.#context(), { ...envelope, seq: 1 }, opened);
      return received !== "newer" && received.event.kind !== "dropped" && received.event.kind !== "mark";
    } catch (error) {
      if (error instanceof InOldForm) return false;
      throw error;
    }
  }

  #context(): Parameters<typeof interpretEnvelope>[0] {
    const { recipient, sender, third } = this;
    const pairs = new Map([sender, third].map((side) => [side.device, boundPair(side)]));
    return {
      account: { masterPub: recipient.master, devicePub: recipient.device },
      node: { chainId: CHAIN, previousChainId: undefined },
      directory: { holds: async () => true },
      registry: { isBlocked: () => false, isKnown: () => true },
      pairs,
      days: { day: this.#day },
      cameAt: 0,
      setsAside: true,
      mayWait: () => false,
    } as unknown as Parameters<typeof interpretEnvelope>[0];
  }
}

type Who = "relay, network" | "thief of the recipient's lasting keys" | "thief of the recipient's running device" | Others;
type Others = "thief of the sender's device" | "quantum computer, with what was recorded";

/** X25519 secrets that make a box: with cards no box of version 1 has to do. */
const HELD: Readonly<Record<Who, (scene: Scene) => readonly Uint8Array[]>> = {
  "relay, network": () => [systemRandom(32)],
  "thief of the recipient's lasting keys": ({ recipient }) => [recipient.secret],
  "thief of the recipient's running device": ({ recipient }) => [recipient.secret],
  "thief of the sender's device": ({ sender }) => [sender.secret],
  "quantum computer, with what was recorded": ({ recipient, sender, third }) => [recipient, sender, third].map(({ secret }) => secret),
};

/** What is taken: a text of the sender's device, one of any other, and a request of the sender's. */
interface Taken {
  readonly text: boolean;
  readonly any: boolean;
  readonly request: boolean;
}

const NOTHING: Taken = { text: false, any: false, request: false };
const OF_ANY: Taken = { text: true, any: true, request: true };
const REQUEST: Taken = { ...NOTHING, request: true };
const NO_TEXT = "a request to send again, and no text";

const RULES: Readonly<Record<Who, readonly (readonly [says: string, taken: Taken])[]>> = {
  "relay, network": [
    ["nothing", NOTHING],
    ["nothing", NOTHING],
  ],
  "thief of the recipient's lasting keys": [
    ["a text, as of any device", OF_ANY],
    [NO_TEXT, REQUEST],
  ],
  "thief of the recipient's running device": [
    ["a text, as of any device", OF_ANY],
    [NO_TEXT, REQUEST],
  ],
  "thief of the sender's device": [
    ["a text, as of that device", { ...OF_ANY, any: false }],
    [NO_TEXT, REQUEST],
  ],
  "quantum computer, with what was recorded": [
    ["a text, as of any device", OF_ANY],
    [NO_TEXT, REQUEST],
  ],
};

const rows = Object.entries(RULES) as readonly (readonly [Who, (typeof RULES)[Who]])[];

describe("what is written in version 1 as another device", () => {
  it.each(rows)("by a %s is taken as the rules say", async (who, cells) => {
    for (const [at, [, taken]] of cells.entries()) {
      const scene = new Scene(BOUND_ON + OLD_FORM_DAYS - 1 + at);
      const held = HELD[who](scene);
      const text = { kind: "text", text: "pay Eve" } as const;
      expect({
        text: await scene.takes(held, scene.sender, text),
        any: await scene.takes(held, scene.third, text),
        request: await scene.takes(held, scene.sender, { kind: "resend", stream: "ee".repeat(8), positions: [1] }),
      }).toEqual(taken);
    }
  });

  it("has these rules in the document, and no others", () => {
    const page = readFileSync(join(ROOT, "docs/messages.md"), "utf8");
    const table = page.slice(page.indexOf(HEAD)).split("\n\n")[0]?.split("\n") ?? [];
    expect(table).toEqual([
      HEAD,
      "|---|---|---|",
      ...rows.map(([who, cells]) => `| ${[who, ...cells.map(([says]) => says)].join(" | ")} |`),
    ]);
    expect(HEAD).toContain(`(${OLD_FORM_DAYS})`);
  });
});
