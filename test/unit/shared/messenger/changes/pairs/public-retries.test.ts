// Contents of a pair under public cards: what is sent again a second time, and what leaves while the pair's card is old. Keyring, store and
// engine are real.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import type { KnownBody } from "#shared/content/content.ts";
import { encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { PUBLIC_CARD_DAYS, PUBLIC_CARDS_KEY, type PublicRecord } from "#shared/messenger/changes/pairs/public-record.ts";
import type { PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { PUBLIC_PAIR_FORM } from "#shared/protocol/pairs/pair-wire.ts";
import { decodePublicCard, type PublicCard, sealableCard } from "#shared/protocol/pairs/public-card.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createPair,
  type Device,
  keyOf,
  passTime,
  restart,
  textsOf,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TEST_CHAIN, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, boxesOf, changePairs, mailFor, pairsOf, settlePairs } from "#test/support/worlds/pair-mail.ts";

const HOUR = 3_600_000;
const DAY_S = 86_400;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

/** Ann and Bob write version 2, and both devices publish cards. */
beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
  await acquaintPair({ relay, ann, bob });
  await passDays(1);
  await pollUntil(() => relay.cards.has(bob.account.devicePub), { what: "a card" });
});
afterEach(() => world.stop());

const write = (text: string): Promise<unknown> => ann.messenger.sendText(keyOf(bob), text);
const shown = (): PublicCard => decodePublicCard(relay.cards.get(bob.account.devicePub) ?? new Uint8Array()) as PublicCard;

/** Days pass on all clocks, and mailboxes are read. */
async function passDays(days: number, devices: readonly Device[] = [ann, bob]): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    relay.blockS = (relay.blockS ?? 0) + DAY_S;
    for (const device of devices) device.time.advance(24 * HOUR);
    await settlePairs(relay, devices);
  }
}

/** What is for Bob's device is recorded on the way, and lost. */
function loseForBob(): void {
  relay.loses = (envelope): boolean => {
    const isForBob = envelope.recipient_pub !== ann.account.devicePub;
    if (isForBob) relay.history.push(envelope);
    return isForBob;
  };
}

/** Nothing of Bob's device comes: his boxes for Ann are the only mailboxes beside the lasting ones that get something. */
async function loseForAnn(): Promise<void> {
  const ofBob = new Set([bob.account.devicePub, ...(await boxesOf(bob)).flatMap(({ boxes }) => boxes.map(({ mailbox }) => mailbox))]);
  relay.loses = ({ recipient_pub }): boolean => !ofBob.has(recipient_pub);
}

/** Nothing comes to Bob's device until a message has been tried twice, and nothing of it from then on: it asks for nothing. */
async function loseTwice(text: string): Promise<number> {
  loseForBob();
  const from = relay.history.length;
  await write(text);
  await pollUntil(() => relay.history.length > from);
  await passDays(2);
  await loseForAnn();
  return from;
}

/** How what is sealed to cards came to Bob's device, from a position on. */
async function formsFrom(from: number): Promise<readonly string[]> {
  return (await mailFor(bob, relay, from)).map(({ kind }) => kind).filter((kind) => kind.endsWith("pair"));
}

async function publicSecrets(): Promise<readonly string[]> {
  const keys = await bob.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const row = (await database.list("meta")).find(({ key }) => key === PUBLIC_CARDS_KEY);
  database.close();
  const record = row && ((await createRecordCipher(keys).open(`meta ${PUBLIC_CARDS_KEY}`, row.sealed)) as PublicRecord);
  return (record?.cards ?? []).map(({ secret }) => secret);
}

/** Whether a thief of Bob's running device opens a recorded envelope with the public cards that are on it now. */
async function opensForThief(envelope: Envelope): Promise<boolean> {
  const [item] = await bob.keyring.open({ items: [envelope] });
  const { pair } = item ?? {};
  if (pair === undefined) throw new Error("no envelope for a card");
  const items = (await publicSecrets()).map((secret) => ({ pair, secret: fromBase64(secret) }));
  return (await bob.keyring.openPublic({ chainId: TEST_CHAIN, items })).some((opened) => opened !== null);
}

describe("a message that is not acknowledged", () => {
  it("is sealed to a public card with its second retry, comes once, and closes for a thief ten counted days after that was drawn", async () => {
    const from = await loseTwice("lost");
    expect(new Set(await formsFrom(from))).toEqual(new Set(["pair"]));
    await passTime([ann, bob], 6 * HOUR, async () => {
      relay.blockS = (relay.blockS ?? 0) + DAY_S / 4;
      return (await textsOf(bob, keyOf(ann))).includes("lost");
    });
    relay.loses = (): boolean => false;
    const [mail] = (await mailFor(bob, relay, from)).filter(({ kind }) => kind === "public pair");
    const { envelope } = mail ?? expect.unreachable("nothing under a public card");
    expect([envelope.recipient_pub, envelope.sender_ed25519_pub, mail?.size]).toEqual([bob.account.devicePub, "", 3_072]);
    // A relay lays it into the mailbox again: it is acknowledged, as that may have been lost, and no one asks for anything.
    relay.store(envelope);
    await settlePairs(relay, [ann, bob]);
    await untilState(ann, keyOf(bob), "delivered");
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", "lost"]);
    expect((await pairsOf(bob)).map(({ state }) => [state.isCopied, state.after])).toEqual([[false, null]]);
    expect(await opensForThief(envelope)).toBe(true);
    // A day counts where the mailboxes were read in it, for which a busy machine may need another one.
    for (let day = 0; day < 3 * PUBLIC_CARD_DAYS && (await opensForThief(envelope)); day += 1) await passDays(1);
    expect(await opensForThief(envelope)).toBe(false);
    const later = relay.history.length;
    await write("later");
    await untilTexts(bob, keyOf(ann), ["hello", "lost", "later"]);
    expect(await formsFrom(later)).not.toContain("public pair");
  });

  it("leaves under a public card again where the node was away when it did", async () => {
    const from = await loseTwice("lost");
    let refusals = 0;
    ann.node.refuse = (call): CodedError | undefined => {
      // The card that is shown in version 1 leaves with it.
      if (call !== "broadcast" || refusals === 2) return undefined;
      refusals += 1;
      return new CodedError("UNAVAILABLE", "busy");
    };
    await passTime([ann, bob], 6 * HOUR, async () => {
      relay.blockS = (relay.blockS ?? 0) + DAY_S / 4;
      return (await textsOf(bob, keyOf(ann))).includes("lost");
    });
    expect(refusals).toBe(2);
    expect((await formsFrom(from)).slice(2)).not.toContain("pair");
  });

  it("is never sealed so for a device whose program has not said that it opens it", async () => {
    await ann.messenger.stop();
    await changePairs(ann, ({ opensForm, ...record }) => {
      expect(opensForm).toBe(PUBLIC_PAIR_FORM);
      return record;
    });
    await restart(ann, relay);
    const from = await loseTwice("lost");
    loseForBob();
    await passDays(8);
    const forms = await formsFrom(from);
    expect([forms.length > 2, forms.includes("public pair")]).toEqual([true, false]);
  });

  it("waits under the pair's card where a relay holds the public one back", async () => {
    const from = await loseTwice("lost");
    relay.cards.clear();
    bob.node.refuse = (call): CodedError | undefined => (call === "publishCard" ? new CodedError("UNAVAILABLE", "busy") : undefined);
    await passTime([ann, bob], 24 * HOUR, async () => {
      relay.blockS = (relay.blockS ?? 0) + DAY_S;
      return (await formsFrom(from)).length > 2;
    });
    expect(new Set(await formsFrom(from))).toEqual(new Set(["pair"]));
  });
});

it("whatever leaves while the pair's card is 25 days old goes to a younger public one, and to a newer card once that is shown", async () => {
  await loseForAnn();
  await passDays(26);
  const from = relay.history.length;
  await write("after weeks");
  await untilTexts(bob, keyOf(ann), ["hello", "after weeks"]);
  expect(await formsFrom(from)).toContain("public pair");
  relay.loses = (): boolean => false;
  await bob.messenger.sendText(keyOf(ann), "here");
  await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("here"));
  await settlePairs(relay, [ann, bob]);
  const later = relay.history.length;
  await write("and on");
  await untilTexts(bob, keyOf(ann), ["hello", "after weeks", "here", "and on"]);
  expect(await formsFrom(later)).not.toContain("public pair");
});

describe("a content under a public card of one of whom no pair is known", () => {
  let eve: Device;
  const INSTANCE = "ee".repeat(8);
  type Beside = { readonly form?: number; readonly files?: number };
  const content = (said: string | KnownBody, place: number, beside: Beside): Uint8Array =>
    encodePairContent({
      ...{ id: place.toString(16).padStart(32, "e"), at: bob.time.nowMs(), place },
      body: typeof said === "string" ? { kind: "text", text: said } : said,
      stream: { instance: INSTANCE, last: place, base: 0 },
      ack: { instance: "ff".repeat(8), upTo: 900, digest: "00".repeat(8), ranges: [] },
      ...beside,
    });
  const lay = async (said: string | KnownBody, place: number, beside: Beside = { form: PUBLIC_PAIR_FORM }): Promise<Envelope> => {
    const pair = { chainId: TEST_CHAIN, recipientMasterPub: keyOf(bob), card: sealableCard(shown()), form: PUBLIC_PAIR_FORM };
    const [envelope] = await eve.client.seal({
      requests: [{ plaintext: content(said, place, beside), recipients: [bob.account.devicePub], sentAt: 1_800_000_000, pair }],
    });
    relay.store(envelope as Envelope);
    await settlePairs(relay, [bob]);
    return envelope as Envelope;
  };
  const pairWithEve = async (): Promise<PairRecord | undefined> => (await pairsOf(bob)).find(({ peer }) => peer === keyOf(eve));

  beforeEach(async () => {
    eve = await world.join();
  });

  it("counts as theirs and begins a pair, which is no proof that they know a card of it", async () => {
    await befriend(relay, bob, eve, [bob]);
    const envelope = await lay("under the public card", 1);
    relay.store(envelope);
    await settlePairs(relay, [bob]);
    expect(await textsOf(bob, keyOf(eve))).toEqual(["under the public card"]);
    expect(await pairWithEve()).toMatchObject({ isProven: false, opensForm: PUBLIC_PAIR_FORM, state: { isCopied: false, after: null } });
    // An older program at their device says what files it takes, and no form; the present one says both.
    await lay("an older program", 2, { files: 1_000 });
    expect(await pairWithEve()).toMatchObject({ opensForm: 0, takesFiles: 1_000 });
    await lay("the present one", 3, { files: 1_000, form: PUBLIC_PAIR_FORM });
    expect(await pairWithEve()).toMatchObject({ opensForm: PUBLIC_PAIR_FORM });
    const from = relay.history.length;
    await bob.messenger.sendText(keyOf(eve), "I answer as I know how");
    await untilTexts(eve, keyOf(bob), ["I answer as I know how"]);
    expect((await mailFor(eve, relay, from)).map(({ kind }) => kind)).not.toContain("pair");
  });

  it("begins none where they are blocked, and shows nothing", async () => {
    relay.setContact(keyOf(eve), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await lay("blocked", 1);
    expect(await textsOf(bob, keyOf(eve))).toEqual([]);
    expect(await pairWithEve()).toBeUndefined();
  });

  it("is shown of a stranger, but begins no pair, nor writes into one that their introduction began", async () => {
    await lay("as a stranger", 1);
    expect([await textsOf(bob, keyOf(eve)), await pairWithEve()]).toEqual([["as a stranger"], undefined]);
    await eve.messenger.sendText(keyOf(bob), "with a card");
    await pollUntil(async () => (await textsOf(bob, keyOf(eve))).includes("with a card"));
    const before = (await pairWithEve())?.state.theirs?.chain ?? expect.unreachable("no card was shown");
    await lay("once more", 900);
    expect(await textsOf(bob, keyOf(eve))).toContain("once more");
    expect((await pairWithEve())?.state.theirs?.chain).toEqual(before);
  });

  it("adds no line of what is lost to the chat with one who was blocked since", async () => {
    await befriend(relay, bob, eve, [bob]);
    await lay("before", 1);
    relay.setContact(keyOf(eve), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await lay({ kind: "resend.gone", stream: INSTANCE, positions: [5], ids: ["5".repeat(32)] }, 6);
    expect(await textsOf(bob, keyOf(eve))).toEqual(["before"]);
    expect((await pairWithEve())?.state.theirs?.chain.ahead.map(({ position }) => position)).toEqual([5, 6]);
  });

  it("is dropped where the chain does not list their device for them", async () => {
    relay.unlink(keyOf(eve), eve.account.devicePub);
    await lay("not listed", 1);
    expect(await pairWithEve()).toBeUndefined();
  });
});
