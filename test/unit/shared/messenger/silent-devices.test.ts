import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { epochHint } from "#shared/keyring/devices/epoch-keys.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { fromBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createPair, type Device, keyOf, messageWith, restart, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { createTestMessenger, TEST_CHAIN, TestNode, withoutCards } from "#test/support/worlds/messenger-world.ts";

const DAY_MS = 86_400_000;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ world, ann, bob } = await createPair());
  withoutCards(ann, bob);
  await ann.messenger.sendText(keyOf(bob), "first");
  await untilTexts(bob, keyOf(ann), ["first"]);
  await bob.messenger.sendText(keyOf(ann), "second");
  await untilTexts(ann, keyOf(bob), ["first", "second"]);
});

afterEach(() => world.stop());

/** Bob's program ends, and days pass for everybody. */
async function leaveFor(days: number): Promise<void> {
  await bob.messenger.stop();
  for (const { time } of [ann, bob]) {
    // Asleep but for the last day: what is done every hour would be done hundreds of times.
    time.sleep((days - 1) * DAY_MS);
    time.advance(DAY_MS);
  }
  await restart(ann, world.relay);
}

async function comeBack(): Promise<void> {
  bob.node = new TestNode(world.relay);
  bob.messenger = createTestMessenger(bob, bob.node);
  await bob.messenger.start();
}

/** Kinds of contents that a copy of Bob's lasting key alone would open. */
async function kindsForLastingKey(envelopes: readonly Envelope[]): Promise<readonly string[]> {
  const thief = bob.keyring;
  await thief.retireEpochs({ blockS: Math.floor(bob.time.nowMs() / 1000) });
  const opened = await thief.open({ items: envelopes });
  return opened.map(({ plaintext }) => {
    const decoded = plaintext === null ? undefined : decodePlaintext(plaintext);
    return decoded?.form === "content" ? decoded.content.body.kind : "closed";
  });
}

describe("a device that was silent for five weeks", () => {
  it("gets what was written meanwhile once it shows a new key, and its lasting key opens none of it", async () => {
    await leaveFor(40);
    const before = world.relay.history.length;
    await ann.messenger.sendText(keyOf(bob), "are you there?");
    await ann.messenger.sendText(keyOf(bob), "write when you are back");
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "write when you are back")).problem !== null);
    expect(await messageWith(ann, keyOf(bob), "are you there?")).toMatchObject({ state: "queued", problem: { code: "DEVICE_SILENT" } });
    const sent = world.relay.history.slice(before).filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    expect(new Set(await kindsForLastingKey(sent))).toEqual(new Set(["knock"]));
    await comeBack();
    await untilTexts(bob, keyOf(ann), ["first", "second", "are you there?", "write when you are back"]);
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "are you there?")).state === "delivered");
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "write when you are back")).state === "delivered");
    const again = world.relay.history.slice(before + sent.length).filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    const prekey = await bob.keyring.signedPrekey({ chainId: TEST_CHAIN });
    const hint = toHex(epochHint(prekey?.epochPub ?? ""));
    const underLasting = again.filter(({ nonce }) => toHex(fromBase64(nonce)).startsWith(hint) === false);
    expect(again.length).toBeGreaterThan(underLasting.length);
    expect((await kindsForLastingKey(underLasting)).includes("text")).toBe(false);
  });

  it("reads what was sealed to its short-lived key before it destroys it", async () => {
    await leaveFor(30);
    await ann.messenger.sendText(keyOf(bob), "in time");
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "in time")).state === "relayed");
    const [envelope] = world.relay.history.slice(-1);
    if (envelope === undefined) throw new Error("nothing was sent");
    bob.time.advance(25 * DAY_MS);
    world.relay.blockS = Math.floor(bob.time.nowMs() / 1000);
    await comeBack();
    await untilTexts(bob, keyOf(ann), ["first", "second", "in time"]);
    await pollUntil(async () => (await bob.keyring.open({ items: [envelope] }))[0]?.plaintext === null);
  });
});
