// Mail that a node sends at a time: durable, bounded, taken back for sure or known to have left.
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HeldMail, type HeldMailDependencies } from "#node/relay/intake/held-mail.ts";
import { type HeldBounds, type HeldMailStore, hasHeldMail, openHeldMailStore } from "#node/storage/messages/held-mail-store.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const sender = boxKeyPair(new Uint8Array(32).fill(2));
const recipientPub = toHex(boxKeyPair(new Uint8Array(32).fill(1)).publicKey);
const client = { party: "client", tag: "", isLimited: false };
const name = (n: number): string => n.toString(16).padStart(64, "0");
const envelope = (n: number): Envelope =>
  sealEnvelope({
    ...{ plaintext: utf8("x"), recipientPub, sender, senderMasterPub: "", nonce: new Uint8Array(24).fill(n), sentAt: 1_800_000_100 },
  });

let folder: TemporaryFolder;
let time: ManualTime;
let sent: string[];
let refuse: (id: string) => Error | undefined;
const opened: HeldMail[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  time = new ManualTime();
  sent = [];
  refuse = (): undefined => undefined;
});
afterEach(async () => {
  for (const held of opened.splice(0)) held.close();
  await folder.remove();
});

function open(bounds: HeldBounds = { messages: 3, bytes: 10_000, left: 2 }, more: Partial<HeldMailDependencies> = {}): HeldMail {
  const held = new HeldMail({
    relay: {
      publicKey: "0a".repeat(32),
      broadcast: async (value): Promise<Envelope> => {
        const { id } = value as Envelope;
        const error = refuse(id);
        if (error !== undefined) throw error;
        sent.push(id);
        return value as Envelope;
      },
    },
    open: (): HeldMailStore => openHeldMailStore(folder.path, bounds),
    isThere: hasHeldMail(folder.path),
    clock: time,
    timers: time,
    onError: (error): never => {
      throw error;
    },
    ...more,
  });
  opened.push(held);
  return held;
}

const nowS = (): number => time.nowMs() / 1_000;
const hold = (held: HeldMail, n: number, inS = 60): string =>
  held.hold({ name: name(n), notBefore: nowS() + inS, envelopes: [envelope(n)] }, client);

it("sends at the time, once, and says so from then on", async () => {
  const held = open();
  expect(hasHeldMail(folder.path)).toBe(false);
  expect([hold(held, 1), hold(held, 2, 120), hold(held, 3, 62)]).toEqual(["held", "held", "held"]);
  time.advance(59_000);
  expect(sent).toEqual([]);
  time.advance(1_000);
  await pollUntil(() => sent.length === 1);
  // Two seconds before the time of the other one.
  await setImmediate();
  expect([sent.length, held.withdraw(name(3))]).toEqual([1, "withdrawn"]);
  time.advance(600_000);
  await pollUntil(() => sent.length === 2);
  expect(sent).toEqual([envelope(1).id, envelope(2).id]);
  expect([held.withdraw(name(1)), hold(held, 1), held.withdraw(name(3))]).toEqual(["left", "left", "unknown"]);
  time.advance(600_000);
  expect(sent).toHaveLength(2);
});

it("sends nothing of what was taken back or replaced", async () => {
  const held = open();
  hold(held, 1);
  hold(held, 2);
  held.hold({ name: name(2), notBefore: nowS() + 60, envelopes: [envelope(7)] }, client);
  expect([held.withdraw(name(1)), held.withdraw(name(1))]).toEqual(["withdrawn", "unknown"]);
  time.advance(60_000);
  await pollUntil(() => sent.length > 0);
  expect(sent).toEqual([envelope(7).id]);
});

it("sends what was due while it did not run, and again what left when it was killed", async () => {
  const first = open();
  hold(first, 1);
  let isKilled = false;
  refuse = (): Error | undefined => (isKilled ? undefined : new CodedError("RELAY_FULL", "busy"));
  time.advance(60_000);
  await pollUntil(() => first.withdraw(name(1)) === "left");
  first.close();
  isKilled = true;
  time.sleep(86_400_000);
  open();
  time.advance(30_000);
  await pollUntil(() => sent.length === 1);
});

it("goes on where one mailbox takes nothing", async () => {
  const held = open();
  refuse = (id): Error | undefined => (id === envelope(1).id ? new CodedError("MAILBOX_FULL", "full") : undefined);
  held.hold({ name: name(1), notBefore: nowS() + 60, envelopes: [envelope(1), envelope(2)] }, client);
  time.advance(60_000);
  await pollUntil(() => sent.length === 1);
  expect(held.withdraw(name(1))).toBe("left");
});

it("is not held up by what cannot be sent, which it tries again for a day", async () => {
  const errors: unknown[] = [];
  let tries = 0;
  const held = open(undefined, { onError: (error) => void errors.push(error) });
  refuse = (id): Error | undefined => {
    if (id !== envelope(1).id) return undefined;
    tries += 1;
    return new TypeError("broken");
  };
  hold(held, 1, 50);
  hold(held, 2, 55);
  const passUntil = (condition: () => boolean): Promise<boolean> =>
    pollUntil(() => {
      time.advance(5_000);
      return condition();
    });
  await passUntil(() => sent.length === 1);
  await passUntil(() => tries >= 2);
  expect(errors.length).toBeGreaterThan(0);
  time.sleep(2 * 86_400_000);
  hold(held, 3, 30);
  await passUntil(() => sent.length === 2);
  const ended = tries;
  hold(held, 4, 90);
  await passUntil(() => sent.length === 3);
  expect(tries).toBe(ended);
});

it("holds no more than it may, for no longer than it may, and remembers the latest that left", async () => {
  const held = open();
  for (const n of [1, 2, 3]) hold(held, n);
  expect(() => hold(held, 4)).toThrow(expect.objectContaining({ code: "RELAY_FULL" }));
  expect(hold(held, 3)).toBe("held");
  expect(() => hold(held, 3, 40 * 86_400)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  expect(() => held.hold({ name: name(3), notBefore: 0, envelopes: [{}] }, client)).toThrow(
    expect.objectContaining({ code: "ENVELOPE_INVALID" }),
  );
  time.advance(60_000);
  await pollUntil(() => sent.length === 3);
  expect([1, 2, 3].map((n) => held.withdraw(name(n))).filter((status) => status === "left")).toHaveLength(2);
  const small = open(
    { messages: 9, bytes: 500, left: 2 },
    { open: () => openHeldMailStore(`${folder.path}/small`, { messages: 9, bytes: 500, left: 2 }) },
  );
  expect(() => {
    for (const n of [4, 5, 6]) hold(small, n);
  }).toThrow(expect.objectContaining({ code: "RELAY_FULL" }));
});
