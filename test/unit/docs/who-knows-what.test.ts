// The tables "who knows what, when" of docs/messages.md: what each row may have is tried out on sealed envelopes with everything that this
// one holds, and each cell says just that.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gcm } from "@noble/ciphers/aes.js";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { contactBoxKeys, ownBox } from "#shared/keyring/devices/contact-boxes.ts";
import { CARD_GRACE_DAYS } from "#shared/messenger/pairs/own-cards.ts";
import { MAX_CARDS, MAX_HELD_IDS } from "#shared/messenger/pairs/pair-state.ts";
import { boxKeyPair, openEnvelope, sealEnvelope, x25519 } from "#shared/protocol/mail/envelope.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { cardDigest, type PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { openPair, openPublic, type PairContext, pairKey, sealPair, senderKey } from "#shared/protocol/pairs/pair-cipher.ts";
import {
  formOf,
  PAIR_FORM,
  type PairForm,
  type PairParts,
  PUBLIC_FORM,
  readPair,
  unpadContent,
  writePair,
} from "#shared/protocol/pairs/pair-wire.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { xWingDecapsulate, xWingPublicKey } from "#shared/protocol/pairs/x-wing.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import { GRACE_DAYS, MOST_CARDS, MOST_HELD, ThiefOracle } from "../../simulation/messages/oracles/thief-oracle.ts";

const CHAIN = "parley-test";
const HOUR_S = 3_600;
const PEER = "aa".repeat(32);
const GENERATION = 3;
const ZEROS = new Uint8Array(32);
const [TEXT, OTHER_TEXT] = [utf8("meet me at six"), utf8("no")];

/** What someone holds: everything that may open something. */
interface Held {
  /** Secrets of mailboxes, lasting and for one person. */
  readonly mailboxes: readonly Uint8Array[];
  /** X25519 secrets: of devices and of the X25519 half of cards. */
  readonly x25519: readonly Uint8Array[];
  /** Secrets of X-Wing. Who computes with quanta has none: its ML-KEM half is not opened by that. */
  readonly kem: readonly Uint8Array[];
  /** What only who was shown a card knows, and the zeros of a public one. */
  readonly psk: readonly Uint8Array[];
}

/** What is found out about an envelope. */
interface Found {
  readonly text: boolean;
  /** Which card it is under: envelopes under one are of one sender's device, but for a public one. */
  readonly card: boolean;
  /** Who sent it, where it says that. */
  readonly sender: boolean;
  /** It can be made in another one's name. */
  readonly forgery: boolean;
}

/** A sender's and a recipient's device, a card, and an envelope under it. */
class Scene {
  readonly form: PairForm;
  readonly #isCardThere: boolean;
  readonly senderSecret = systemRandom(32);
  readonly recipientSecret = systemRandom(32);
  readonly cardKem = systemRandom(32);
  readonly cardX = systemRandom(32);
  readonly card: PairCard;
  readonly context: PairContext;
  readonly mailboxSecret: Uint8Array;

  /** `isCardThere`: the recipient still has the secret of the card. */
  constructor(form: PairForm, isCardThere = true) {
    this.form = form;
    this.#isCardThere = isCardThere;
    const psk = form === PAIR_FORM ? systemRandom(32) : ZEROS;
    const kem = xWingPublicKey(scriptKem, this.cardKem);
    this.card = { id: cardId("11".repeat(8), 4), kem, x: boxKeyPair(this.cardX).publicKey, psk };
    const side = (masterPub: string, secret: Uint8Array): PairContext["sender"] => ({
      masterPub,
      devicePub: toHex(boxKeyPair(secret).publicKey),
    });
    const sender = side("0a".repeat(32), this.senderSecret);
    const recipient = side("0b".repeat(32), this.recipientSecret);
    // What is sealed to a public card goes to the lasting mailbox, all else to a box for one person.
    const box = { chainId: CHAIN, peer: sender.masterPub, generation: GENERATION };
    this.mailboxSecret = form === PAIR_FORM ? contactBoxKeys(this.recipientSecret, box).secretKey : this.recipientSecret;
    const mailbox = form === PAIR_FORM ? ownBox(this.recipientSecret, box).mailbox : recipient.devicePub;
    this.context = { chainId: CHAIN, mailbox, sender, recipient };
  }

  /** As a device does; `secret`: of the device in whose name. */
  seal(content: Uint8Array, secret = this.senderSecret, psk = this.card.psk): PairParts {
    const agree = (publicKey: Uint8Array): Uint8Array | undefined => x25519(secret, publicKey);
    const card = { ...this.card, psk };
    return sealPair(scriptKem, this.context, { content, card, agree, hedgeKey: systemRandom(32), random: systemRandom, form: this.form });
  }

  envelopeOf(parts: PairParts): ReturnType<typeof sealEnvelope> {
    const sender = boxKeyPair(systemRandom(32));
    const plaintext = writePair(parts);
    const { mailbox } = this.context;
    return sealEnvelope({ plaintext, recipientPub: mailbox, sender, nonce: systemRandom(24), senderMasterPub: "", sentAt: 7 * HOUR_S });
  }

  /** Whether the recipient takes it as of the sender. */
  takes(parts: PairParts): boolean {
    if (!this.#isCardThere) return false;
    const card = { ...this.card, kem: this.cardKem, x: this.cardX, digest: cardDigest(this.card) };
    const input = { parts, card, agree: (publicKey: Uint8Array): Uint8Array | undefined => x25519(this.recipientSecret, publicKey) };
    if (this.form === PAIR_FORM) return openPair(scriptKem, this.context, input) !== undefined;
    return openPublic(scriptKem, this.context, input)?.sender.devicePub === this.context.sender.devicePub;
  }

  /** Tries everything. */
  find(held: Held): Found {
    const parts = this.seal(TEXT);
    const envelope = this.envelopeOf(parts);
    const plaintexts = held.mailboxes.map((secret) => openEnvelope(envelope, secret)).filter((plaintext) => plaintext !== undefined);
    const seen = plaintexts.map(readPair).find((read) => typeof read === "object");
    const known = typeof seen === "object" ? seen : undefined;
    const secrets = known === undefined ? [] : held.kem.flatMap((kem) => xWingDecapsulate(scriptKem, kem, known.ciphertext) ?? []);
    return {
      card: known !== undefined,
      sender: known?.from !== undefined && secrets.some((secret) => this.#opens(senderKey(this.context, known, secret), known.from)),
      text: known !== undefined && secrets.some((secret) => this.#opensText(held, known, secret)),
      forgery: held.x25519.some((secret) => held.psk.some((psk) => this.#isForged(secret, psk))),
    };
  }

  #isForged(secret: Uint8Array, psk: Uint8Array): boolean {
    if (toHex(boxKeyPair(secret).publicKey) !== this.context.sender.devicePub) return false;
    return this.takes(this.seal(OTHER_TEXT, secret, psk));
  }

  #opensText(held: Held, parts: PairParts, secret: Uint8Array): boolean {
    const { sender, recipient } = this.context;
    const between = (one: Uint8Array, other: Uint8Array): readonly Uint8Array[] =>
      held.x25519.flatMap((own) => {
        const mine = toHex(boxKeyPair(own).publicKey);
        const others = mine === toHex(one) ? [other] : mine === toHex(other) ? [one] : [];
        return others.flatMap((publicKey) => x25519(own, publicKey) ?? []);
      });
    const digest = cardDigest(this.card);
    return between(fromHex(sender.devicePub), this.card.x).some((withCard) =>
      between(fromHex(sender.devicePub), fromHex(recipient.devicePub)).some((withDevice) =>
        held.psk.some((psk) => {
          const key = pairKey(this.context, parts, { secret, withCard, withDevice, psk, digest });
          const frame = this.#opened(key, parts.sealed);
          const content = frame && unpadContent(frame, formOf(parts));
          return content !== undefined && toHex(content) === toHex(TEXT);
        }),
      ),
    );
  }

  #opens(key: Uint8Array, sealed: Uint8Array | undefined): boolean {
    return sealed !== undefined && this.#opened(key, sealed) !== undefined;
  }

  #opened(key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    try {
      return gcm(key, new Uint8Array(12)).decrypt(sealed);
    } catch {
      return undefined;
    }
  }
}

type Who = "relay, network" | "thief of the recipient's lasting keys" | "thief of the recipient's running device" | Others;
type Others = "thief of the sender's device" | "quantum computer, with what was recorded";

/** What each holds while the card's secret is there, or not. */
function heldBy(who: Who, scene: Scene, isCardThere: boolean): Held {
  const { recipientSecret, senderSecret, mailboxSecret, cardKem, cardX, card } = scene;
  const own = contactBoxKeys(recipientSecret, { chainId: CHAIN, peer: PEER, generation: GENERATION }).secretKey;
  const lasting = { mailboxes: [recipientSecret, mailboxSecret, own], x25519: [recipientSecret], kem: [recipientSecret], psk: [ZEROS] };
  switch (who) {
    case "relay, network":
      return { mailboxes: [], x25519: [], kem: [], psk: [ZEROS] };
    case "thief of the recipient's lasting keys":
      return lasting;
    case "thief of the recipient's running device":
      return isCardThere
        ? { ...lasting, x25519: [recipientSecret, cardX], kem: [recipientSecret, cardKem], psk: [ZEROS, card.psk] }
        : lasting;
    case "thief of the sender's device":
      // The card as it was shown, and no key that was used once.
      return { mailboxes: [senderSecret], x25519: [senderSecret], kem: [senderSecret], psk: [ZEROS, card.psk] };
    case "quantum computer, with what was recorded":
      return { mailboxes: [recipientSecret, mailboxSecret], x25519: [recipientSecret, senderSecret, cardX], kem: [], psk: [ZEROS] };
  }
}

const NOTHING: Found = { text: false, card: false, sender: false, forgery: false };
const CARD: Found = { ...NOTHING, card: true };
const ALL: Found = { ...CARD, text: true };
/** Of a public card the sender's keys are sealed beside the text; who has the sender's device can write in its name. */
const PUBLIC_ALL: Found = { ...ALL, sender: true };

/** A cell: what it says, what is found, and whether the secret of the card is there. */
type Cell = readonly [says: string, found: Found, isCardThere: boolean];

const OF_PAIR: Readonly<Record<Who, readonly [Cell, Cell, Cell]>> = {
  "relay, network": [
    ["size class, hour, [box](#boxes)", NOTHING, true],
    ["the same", NOTHING, true],
    ["the same", NOTHING, false],
  ],
  "thief of the recipient's lasting keys": [
    ["whose box, which card; no text", CARD, true],
    ["the same", CARD, true],
    ["the same", CARD, false],
  ],
  "thief of the recipient's running device": [
    ["the text", ALL, true],
    ["the text, if it was recorded", ALL, true],
    ["nothing but the local store", CARD, false],
  ],
  "thief of the sender's device": [
    ["the text, as it waits there", { ...NOTHING, forgery: true }, true],
    ["nothing of the envelope", { ...NOTHING, forgery: true }, true],
    ["nothing of the envelope", NOTHING, false],
  ],
  "quantum computer, with what was recorded": [
    ["size class, whose box, which card", CARD, true],
    ["the same", CARD, true],
    ["the same", CARD, false],
  ],
};

const OF_PUBLIC: Readonly<Record<Who, readonly [Cell, Cell]>> = {
  "relay, network": [
    ["size class, whose lasting mailbox, hour", NOTHING, true],
    ["the same", NOTHING, false],
  ],
  "thief of the recipient's lasting keys": [
    ["which card; neither text nor sender", CARD, true],
    ["the same", CARD, false],
  ],
  "thief of the recipient's running device": [
    ["the text, also once it is read, deleted or gone", PUBLIC_ALL, true],
    ["which card", CARD, false],
  ],
  "thief of the sender's device": [
    ["nothing of the envelope", { ...NOTHING, forgery: true }, true],
    ["nothing of the envelope", NOTHING, false],
  ],
  "quantum computer, with what was recorded": [
    ["size class, which card; could write as any other", { ...CARD, forgery: true }, true],
    ["size class, which card", CARD, false],
  ],
};

describe.each([
  ["a text of a pair", PAIR_FORM, OF_PAIR, "| who | before a text arrives |"],
  ["what is sealed to a public card", PUBLIC_FORM, OF_PUBLIC, "| who | until ten counted days after the card was drawn |"],
] as const)("%s", (_, form, rules, head) => {
  const rows = Object.entries(rules) as readonly (readonly [Who, readonly Cell[]])[];

  it.each(rows)("is to a %s what the rules say", (who, cells) => {
    for (const [, found, isCardThere] of cells) {
      const scene = new Scene(form, isCardThere);
      expect(scene.find(heldBy(who, scene, isCardThere))).toEqual(found);
    }
  });

  it("has these rules in the document, and no others", () => {
    const page = readFileSync(join(ROOT, "docs/messages.md"), "utf8");
    const table = page.slice(page.indexOf(head)).split("\n\n")[0]?.split("\n").slice(2) ?? [];
    expect(table).toEqual(rows.map(([who, cells]) => `| ${[who, ...cells.map(([says]) => says)].join(" | ")} |`));
  });

  it("looks to a relay like every other one of its size", () => {
    const scene = new Scene(form);
    const [one, other] = [TEXT, new Uint8Array(1_500)].map((content) => scene.envelopeOf(scene.seal(content)));
    const shapeOf = (envelope = one): object => ({
      ...envelope,
      id: "",
      sender_pub: "",
      nonce: "",
      ciphertext: envelope?.ciphertext.length,
    });
    expect(shapeOf(one)).toEqual(shapeOf(other));
    expect(one?.sender_pub).not.toBe(other?.sender_pub);
    const { sender, recipient } = scene.context;
    const named = form === PAIR_FORM ? [recipient.devicePub] : [];
    for (const key of [sender.masterPub, sender.devicePub, recipient.masterPub, scene.card.id, ...named])
      expect(JSON.stringify(one)).not.toContain(key);
  });
});

/** As a sentence begins. */
function inWords(count: number): string {
  return ["None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"][count] ?? String(count);
}

describe("the card of a text goes", () => {
  it("once something came under a later one of the present instance, with all before it; with a deletion, also of one beyond 64", () => {
    const opened = (place: number, base: number, stream = "now"): Parameters<ThiefOracle["open"]>[1] => ({
      words: `text ${place}`,
      stream,
      base,
      place,
    });
    const oracle = new ThiefOracle([]);
    oracle.draw("first");
    oracle.open("first", opened(1, 0));
    oracle.draw("second");
    oracle.judge(0, "now", undefined);
    expect(oracle.allowed, "read, and nothing has come under a later card").toEqual(["first", "second"]);
    oracle.open("second", opened(3, 2, "before"));
    oracle.judge(0, "now", "before");
    expect(oracle.allowed, "a chain of a former instance ends no card").toEqual(["first", "second"]);
    oracle.open("second", opened(3, 2));
    oracle.judge(0, "now", undefined);
    expect(oracle.allowed, "the second position is missing").toEqual(["first", "second"]);
    oracle.open("first", opened(2, 0));
    oracle.judge(0, "now", undefined);
    expect(oracle.allowed).toEqual(["second"]);
    for (let place = 4; place < 70; place += 1) oracle.open("second", opened(place, 2));
    oracle.forget(["of another card"]);
    expect(oracle.allowed, "of more than 64 contents it is not known which were under it").toEqual([]);
  });

  it("counted days after a later one was handed in, and no sooner", () => {
    const oracle = new ThiefOracle([]);
    oracle.draw("first");
    oracle.handIn("first", 0);
    oracle.draw("second");
    oracle.judge(GRACE_DAYS + 1, undefined, undefined);
    expect(oracle.allowed, "the later one was shown to no one").toEqual(["first", "second"]);
    oracle.handIn("second", GRACE_DAYS + 1);
    oracle.handIn("second", GRACE_DAYS + 2);
    oracle.judge(2 * GRACE_DAYS, undefined, undefined);
    expect(oracle.allowed).toEqual(["first", "second"]);
    oracle.judge(2 * GRACE_DAYS + 1, undefined, undefined);
    expect(oracle.allowed).toEqual(["second"]);
  });

  it("when there are as many later ones as are kept", () => {
    const oracle = new ThiefOracle([]);
    for (let number = 0; number < MOST_CARDS; number += 1) oracle.draw(`card ${number}`);
    expect(oracle.allowed).toContain("card 0");
    oracle.draw("one more");
    expect(oracle.allowed).not.toContain("card 0");
    expect(oracle.allowed).toHaveLength(MOST_CARDS);
  });

  it("by the numbers that the document says, and the messenger has", () => {
    const page = readFileSync(join(ROOT, "docs/messages.md"), "utf8");
    const from = page.indexOf("A card's secret **goes** when the first of these holds:");
    const rules = page.slice(from, page.indexOf("\n\n", page.indexOf("4. ", from)));
    expect(rules.match(/^\d\. /gm)).toHaveLength(4);
    expect(rules).toContain(`2. ${inWords(GRACE_DAYS)} counted days after`);
    expect(rules).toContain(`more than \`MAX_HELD_IDS\` (${MOST_HELD}) contents`);
    expect(rules).toContain(`4. There are ${inWords(MOST_CARDS).toLowerCase()} later ones.`);
    expect([GRACE_DAYS, MOST_CARDS, MOST_HELD]).toEqual([CARD_GRACE_DAYS, MAX_CARDS, MAX_HELD_IDS]);
  });
});
