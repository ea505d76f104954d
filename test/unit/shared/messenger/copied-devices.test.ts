// A device whose secrets are in two places: both show keys of their own, and who gets both says so.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EPOCH_LIFETIME_S, EPOCH_ROTATION_S, EpochKeys } from "#shared/keyring/devices/epoch-keys.ts";
import { withCopied, withList } from "#shared/messenger/state/devices/known-devices.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTestKeyring, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  restart,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN, TEST_PASSWORD, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

const DAY_MS = 86_400_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob } = await createTrio());
  // Prekeys are shown in version 1.
  withoutCards(ann, annOther, bob);
  await ann.messenger.sendText(keyOf(bob), "a");
  await untilTexts(bob, keyOf(ann), ["a"]);
  await bob.messenger.sendText(keyOf(ann), "b");
  for (const device of [ann, annOther]) await untilTexts(device, keyOf(bob), ["a", "b"]);
});

afterEach(() => world.stop());

/** The key that a copy of a device shows a day after it was made. */
async function keyOfCopy(device: Device): Promise<SignedPrekey> {
  const vault = copyOf(device);
  advance(DAY_MS + 7_200_000);
  return await keyOfVault(vault, device);
}

function copyOf(device: Device): MemoryVault {
  const vault = new MemoryVault();
  for (const [copy, bytes] of device.storage.copies) vault.copies.set(copy, bytes.slice());
  return vault;
}

function advance(ms: number): void {
  for (const one of world.devices) one.time.advance(ms);
}

/** The key that a vault makes with the clock of a device. */
async function keyOfVault(vault: MemoryVault, device: Device): Promise<SignedPrekey> {
  const { keyring } = createTestKeyring(vault, device.time);
  await keyring.unlock({ password: TEST_PASSWORD });
  const card = await keyring.signedPrekey({ chainId: TEST_CHAIN });
  if (card === null) throw new Error("the copy has no key");
  return card;
}

const notesOf = async (device: Device, peer: string): Promise<readonly string[]> =>
  (await chatOf(device, peer)).flatMap(({ body }) => (body.kind === "device.note" ? [body.event] : []));

describe("a device that was copied", () => {
  it("is noticed by contacts when both have shown a key, once, and remembered", async () => {
    const copy = copyOf(ann);
    advance(DAY_MS + 7_200_000);
    await ann.messenger.sendText(keyOf(bob), "from the device");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("from the device"));
    expect(await notesOf(bob, keyOf(ann))).toEqual([]);
    // The copy makes its own a few hours after the device.
    advance(3 * 3_600_000);
    const card = await keyOfVault(copy, ann);
    for (const text of ["from the copy", "once more"]) {
      await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, { kind: "text", text }, { card }) });
      await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(text));
    }
    await pollUntil(async () => (await notesOf(bob, keyOf(ann))).includes("copied"));
    await ann.messenger.sendText(keyOf(bob), "again");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("again"));
    expect(await notesOf(bob, keyOf(ann))).toEqual(["copied"]);
    expect(bob.messenger.getSnapshot().deviceChanges).toMatchObject([{ person: keyOf(ann) }]);
    await restart(bob, relay);
    expect(bob.messenger.getSnapshot().deviceChanges).toMatchObject([{ person: keyOf(ann) }]);
  });

  it("is noticed by its person's other devices, until it is unlinked", async () => {
    await annOther.messenger.sendText(keyOf(bob), "c");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("c"));
    const card = await keyOfCopy(ann);
    await ann.messenger.sendText(keyOf(bob), "d");
    await pollUntil(async () => (await textsOf(annOther, keyOf(bob))).includes("d"));
    expect(annOther.messenger.getSnapshot().isOwnDeviceCopied).toBe(false);
    const read = { kind: "sync.read", peer: keyOf(bob), ids: ["00".repeat(16)] } as const;
    await deliver(relay, { from: ann, to: annOther, plaintext: contentOf(ann, annOther, read, { card }) });
    await untilEmpty(relay, annOther);
    await pollUntil(() => annOther.messenger.getSnapshot().isOwnDeviceCopied);
    relay.unlink(keyOf(ann), ann.account.devicePub);
    for (const device of world.devices) device.time.advance(600_000);
    await annOther.messenger.sendText(keyOf(bob), "e");
    await pollUntil(() => !annOther.messenger.getSnapshot().isOwnDeviceCopied);
  });

  it("is not what a key means that its device has not signed", async () => {
    const card = await keyOfCopy(ann);
    await ann.messenger.sendText(keyOf(bob), "from the device");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("from the device"));
    const forged = { ...card, epochPub: (await keyOfCopy(bob)).epochPub };
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, { kind: "text", text: "x" }, { card: forged }) });
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("x"));
    expect(await notesOf(bob, keyOf(ann))).toEqual([]);
  });
});

it("keys of one device are a day apart, whatever its clocks did", () => {
  const keys = new EpochKeys([], systemRandom);
  const startS = 1_800_000_000;
  const shown: number[] = [];
  for (const ownS of [0, 3, 0.5, 1.2, 1.6, 30, 1.7, 2.9, 9, 4.1, 5.2].map((day) => startS + day * 86_400)) {
    keys.renew({ ownS, blockS: startS });
    keys.renew({ ownS: startS, blockS: ownS });
    keys.renew({ ownS, blockS: ownS });
    shown.push(keys.prekey?.notAfter ?? 0);
  }
  const distinct = [...new Set(shown)].sort((a, b) => a - b);
  for (const [index, notAfter] of distinct.entries())
    if (index > 0) expect(notAfter - (distinct[index - 1] ?? 0)).toBeGreaterThanOrEqual(EPOCH_ROTATION_S);
  expect(shown.at(-1)).toBeLessThanOrEqual(startS + 5.2 * 86_400 + EPOCH_LIFETIME_S + EPOCH_ROTATION_S);
});

it("only a listed device counts as copied, and no longer than it is listed", () => {
  const [one, other] = ["aa".repeat(32), "bb".repeat(32)];
  const { known } = withList(
    undefined,
    [
      { key: one, voucher: "signature" },
      { key: other, voucher: "signature" },
    ],
    1,
  );
  expect(withCopied(known, "cc".repeat(32), 2)).toEqual({ known, events: [] });
  const copied = withCopied(known, one, 2).known;
  expect(copied).toMatchObject({ copied: [one], changes: 1, changedAt: 2 });
  expect(withCopied(copied, one, 3)).toEqual({ known: copied, events: [] });
  expect(withList(copied, [{ key: one, voucher: "signature" }], 4).known.copied).toEqual([one]);
  expect(withList(copied, [{ key: other, voucher: "signature" }], 4).known.copied).toEqual([]);
});
