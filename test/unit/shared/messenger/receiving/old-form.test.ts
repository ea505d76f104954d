// Version 1 of a device that writes version 2. Who has the key of the recipient's mailbox can make the very same box, and no card is needed: so
// what tests lay there as of a device is what such a thief lays there.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IncomingContent } from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { OLD_FORM_DAYS } from "#shared/messenger/pairs/pair-record.ts";
import type { StoreChange } from "#shared/messenger/store/store-database.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createPair,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver, kindOf } from "#test/support/worlds/messenger-mail.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, changePairs, imageOf, kindsFor, pairsOf, putImageBack, settlePairs } from "#test/support/worlds/pair-mail.ts";

const DAY_MS = 86_400_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
});
afterEach(() => world.stop());

/** Bob's pairs are as if so many counted days had passed since they were bound, and his program starts again. */
async function passBound(days: number): Promise<void> {
  await bob.messenger.stop();
  await changePairs(bob, ({ bound, ...record }) => ({ ...record, ...(bound && { bound: { ...bound, day: bound.day - days } }) }));
  await restart(bob, relay);
}

/** Days of both clocks, at once. */
function passDays(days: number): void {
  for (const device of world.devices) device.time.advance(days * DAY_MS);
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
}

/** What Ann's device wrote to Bob first, with all that is around it. */
async function firstOf(from: Device): Promise<IncomingContent> {
  const items = relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
  const opened = await bob.keyring.open({ items });
  const contents = opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.fromDevice === from.account.devicePub ? [decoded.content] : [];
  });
  return contents[0] ?? expect.unreachable("nothing in version 1");
}

/** In the name of a device, with the signed prekey that it has shown. */
async function forge(from: Device, body: Parameters<typeof contentOf>[2], fields: Partial<IncomingContent> = {}): Promise<void> {
  const { card } = await firstOf(from);
  const plaintext = contentOf(from, bob, body, { at: bob.time.nowMs(), ...(card && { card }), ...fields });
  await deliver(relay, { from, to: bob, plaintext });
  await untilEmpty(relay, bob);
}

const notesOf = async (): Promise<readonly string[]> =>
  (await chatOf(bob, keyOf(ann))).flatMap(({ body }) => (body.kind === "device.note" ? [body.event] : []));
const forged = { kind: "text", text: "pay Eve" } as const;

describe("forged by the recipient's key", () => {
  beforeEach(() => acquaintPair({ relay, ann, bob }));

  it("counts for 30 days, as what is under way does", async () => {
    await passBound(OLD_FORM_DAYS - 1);
    await forge(ann, forged);
    await untilTexts(bob, keyOf(ann), ["hello", "pay Eve"]);
  });

  it("is not taken after that, whatever it is, and the chat says so once", async () => {
    await passBound(OLD_FORM_DAYS);
    const { id } = await messageWith(bob, keyOf(ann), "hello");
    await forge(ann, forged);
    await forge(ann, { kind: "edit", id, text: "I owe you 1000", revision: 1 });
    await forge(ann, { kind: "delete", id });
    await forge(ann, { kind: "profile", name: "Eve" });
    await deliver(relay, { from: ann, to: bob, plaintext: utf8("pay Eve, as another program says it") });
    await untilEmpty(relay, bob);
    // What follows in version 2 is stored after it.
    await ann.messenger.sendText(keyOf(bob), "still me");
    await untilTexts(bob, keyOf(ann), ["hello", "still me"]);
    expect(await textsOf(bob, `unknown:${ann.account.devicePub}`)).toEqual(["pay Eve, as another program says it"]);
    await restart(bob, relay);
    passDays(31);
    await passTime([bob], 61_000, async () => (await notesOf()).length > 0, { intervalMs: 100 });
    await settlePairs(relay, [ann, bob]);
    expect(await notesOf()).toEqual(["older"]);
    expect((await textsOf(bob, keyOf(ann))).filter((text) => text !== "device.note")).toEqual(["hello", "still me"]);
  });

  it("is not taken back into effect by a card that only names another instance", async () => {
    await passBound(OLD_FORM_DAYS);
    const { pairCard } = await firstOf(ann);
    await forge(ann, forged, pairCard && { pairCard });
    await ann.messenger.sendText(keyOf(bob), "still me");
    await untilTexts(bob, keyOf(ann), ["hello", "still me"]);
    await passTime([bob], 61_000, () => true);
    await settlePairs(relay, [ann, bob]);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", "still me"]);
  });
});

it("what another own device says that one wrote is not taken either", async () => {
  const other = await world.join({ phrase: bob.phrase });
  await acquaintPair({ relay, ann, bob }, [ann, bob, other]);
  await other.messenger.sendText(keyOf(ann), "from my other one");
  await untilTexts(bob, keyOf(ann), ["hello", "from my other one"]);
  await settlePairs(relay, [ann, bob, other]);
  expect((await pairsOf(bob)).map(({ bound }) => bound !== undefined)).toEqual([true, true]);
  const sent = (text: string): Parameters<typeof contentOf>[2] => {
    const id = Buffer.from(text.padEnd(16)).toString("hex");
    return { kind: "sync.sent", peer: keyOf(ann), id, at: bob.time.nowMs(), body: { kind: "text", text } };
  };
  await passBound(OLD_FORM_DAYS - 1);
  await forge(other, sent("in time"));
  await untilTexts(bob, keyOf(ann), ["hello", "from my other one", "in time"]);
  await passBound(1);
  await forge(other, sent("I owe Eve"));
  await other.messenger.sendText(keyOf(ann), "from me");
  await untilTexts(bob, keyOf(ann), ["hello", "from my other one", "in time", "from me"]);
});

it("what came while a device was off for 60 days counts, as its days did not", async () => {
  await acquaintPair({ relay, ann, bob });
  await passBound(OLD_FORM_DAYS - 2);
  await bob.messenger.stop();
  const plaintext = contentOf(ann, bob, { kind: "text", text: "under way" }, { at: ann.time.nowMs() });
  await deliver(relay, { from: ann, to: bob, plaintext });
  passDays(60);
  await restart(bob, relay);
  await passTime([bob], 61_000, async () => (await textsOf(bob, keyOf(ann))).includes("under way"));
});

describe("a true device", () => {
  let image: readonly StoreChange[];

  beforeEach(async () => {
    await ann.messenger.stop();
    image = await imageOf(ann);
    await restart(ann, relay);
    await acquaintPair({ relay, ann, bob });
    await passBound(OLD_FORM_DAYS);
  });

  it("whose disk is older than the pair is read once it writes version 2 again, from its first word on", async () => {
    await ann.messenger.stop();
    await putImageBack(ann, image);
    passDays(60);
    await restart(ann, relay);
    const from = relay.history.length;
    await ann.messenger.sendText(keyOf(bob), "back");
    await passTime([ann, bob], 20_000, async () => (await textsOf(bob, keyOf(ann))).includes("back"));
    expect((await kindsFor(bob, relay, from))[0], "it was written in version 1").toMatch(/^(text|public)$/);
    await ann.messenger.sendText(keyOf(bob), "and on");
    await passTime([ann, bob], 20_000, async () => (await textsOf(bob, keyOf(ann))).includes("and on"));
    expect(await notesOf()).not.toContain("older");
  });
});

it("a pair of an earlier version of the program is bound from its next counted day on", async () => {
  await acquaintPair({ relay, ann, bob });
  for (const device of [ann, bob]) await device.messenger.stop();
  await changePairs(bob, ({ bound: _, ...record }) => record);
  await restart(bob, relay);
  passDays(1);
  await passTime([bob], 61_000, async () => (await pairsOf(bob)).some(({ bound }) => bound?.instance === ""));
});

it("what got a position of version 1 and could not leave goes out in version 2 once that is written", async () => {
  relay.blockS = undefined;
  const { admit } = relay;
  let refused = 0;
  relay.admit = async (envelope): Promise<void> => {
    const [item] = envelope.recipient_pub === bob.account.devicePub ? await bob.keyring.open({ items: [envelope] }) : [];
    if (kindOf(item?.plaintext ?? null) !== "text") return admit.call(relay, envelope);
    refused += 1;
    throw new CodedError("UNAVAILABLE", "No keeper responds");
  };
  await ann.messenger.sendText(keyOf(bob), "waits");
  await pollUntil(() => refused > 0);
  await bob.messenger.sendText(keyOf(ann), "hi");
  await passTime([ann, bob], 20_000, async () => (await textsOf(bob, keyOf(ann))).includes("waits"));
  relay.admit = admit;
  // The end of that chain is said, asked for and sent in version 1: it is there already, and nothing is missing.
  for (let hour = 0; hour < 6; hour += 1) {
    for (const device of world.devices) device.time.advance(3_600_000);
    await settlePairs(relay, world.devices);
  }
  expect([...(await textsOf(bob, keyOf(ann)))].sort()).toEqual(["hi", "waits"]);
});
