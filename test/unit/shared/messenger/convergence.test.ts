// Three devices of two people over two relays that lose, repeat and reorder, differing clocks, while devices leave, crash and are revoked.
import { afterEach, expect, it } from "vitest";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { spread } from "#test/support/host/test-extent.ts";
import {
  befriend,
  chatOf,
  createWorld,
  type Device,
  keyOf,
  passTime,
  restart,
  textsOf,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TestRelay } from "#test/support/worlds/messenger-world.ts";

const STEPS = 60;
const SEEDS = spread([1, 2, 3], 2);

let world: World | undefined;

afterEach(async () => {
  await world?.stop();
  world = undefined;
});

/** Numbers that look random and are the same for a seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Two relays that forward to each other; both may lose an envelope, repeat one under another id, and mix up a mailbox. */
class TwoRelays {
  readonly home = new TestRelay();
  readonly away = new TestRelay();
  isCalm = false;

  constructor(draw: (below: number) => number) {
    for (const [relay, other] of [
      [this.home, this.away],
      [this.away, this.home],
    ] as const) {
      const store = relay.store.bind(relay);
      Object.assign(relay, { published: this.home.published, publications: this.home.publications });
      relay.store = (json): void => {
        const envelope = json as Envelope;
        const isForwarded = envelope.id.startsWith("forwarded-");
        const luck = this.isCalm ? 9 : draw(10);
        if (luck === 0) return;
        store(envelope);
        if (luck === 1) store({ ...envelope, id: `again-${envelope.id}` });
        if (luck === 2) mixUp(relay, envelope.recipient_pub, draw);
        if (!isForwarded) other.store({ ...envelope, id: `forwarded-${envelope.id}` });
      };
    }
  }
}

function mixUp(relay: TestRelay, recipient: string, draw: (below: number) => number): void {
  const mailbox = [...(relay.mailboxes.get(recipient) ?? [])];
  relay.mailboxes.set(
    recipient,
    new Map(
      mailbox
        .map((entry) => ({ entry, rank: draw(1_000) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry),
    ),
  );
}

/** What all must agree on, regardless of the author. */
function essence({ body, isEdited, reactions }: ChatMessage): string {
  const words = "text" in body ? body.text : body.kind;
  return `${words}${isEdited ? " (edited)" : ""} ${reactions
    .map(({ emoji, count }) => `${emoji}${count}`)
    .sort()
    .join()}`;
}

/** Something that a person does; true when it sent the text. */
async function act(device: Device, peer: string, { draw, text }: { draw: (below: number) => number; text: string }): Promise<boolean> {
  const messages = await chatOf(device, peer);
  const some = messages[draw(Math.max(1, messages.length))];
  switch (draw(7)) {
    case 0:
      if (some?.body.kind === "text") await device.messenger.react(some.key, ["👍", "🎉", ""][draw(3)] ?? "");
      return false;
    case 1:
      if (some?.body.kind === "text" && some.direction === "out") await device.messenger.editMessage(some.key, `${some.body.text}!`);
      return false;
    case 2:
      device.node.setOnline(draw(2) === 0);
      return false;
    default:
      await device.messenger.sendText(peer, text);
      return true;
  }
}

/** Everybody writes once more: what was lost at the end of a stream is noticed by what follows. */
async function lastWords(devices: readonly Device[], peerOf: (device: Device) => string): Promise<readonly string[]> {
  const texts = devices.map((_, index) => `last${index}`);
  for (const [index, device] of devices.entries()) await device.messenger.sendText(peerOf(device), texts[index] ?? "");
  return texts;
}

it.each(SEEDS)(
  "transcripts end equal on all devices, every message exactly once (seed %i)",
  async (seed) => {
    const draw = numbers(seed);
    const relays = new TwoRelays(draw);
    world = createWorld(relays.home);
    const ann = await world.join();
    const annAway = await world.join({ phrase: ann.phrase }, relays.away);
    const bob = await world.join({}, relays.away);
    const all: readonly [Device, Device, Device] = [ann, annAway, bob];
    relays.away.contacts = relays.home.contacts;
    await befriend(relays.home, ann, bob, []);
    relays.away.contacts = relays.home.contacts;
    for (const device of all) await device.messenger.refreshContacts();
    annAway.time.advance(45_000);
    bob.time.advance(120_000);
    const peerOf = (device: Device): string => (device === bob ? keyOf(ann) : keyOf(bob));
    const sent: string[] = [];

    for (let step = 0; step < STEPS; step += 1) {
      const device = all[draw(3)] ?? ann;
      if (draw(8) === 0) await restart(device, device === ann ? relays.home : relays.away);
      else if (await act(device, peerOf(device), { draw, text: `m${step}` })) sent.push(`m${step}`);
      for (const each of all) each.time.advance(700 + draw(3_000));
    }

    for (const device of all) device.node.setOnline(true);
    relays.isCalm = true;
    sent.push(...(await lastWords(all, peerOf)));
    const transcripts = async (): Promise<readonly (readonly string[])[]> =>
      Promise.all(all.map(async (device) => (await chatOf(device, peerOf(device))).map(essence)));
    let last: readonly (readonly string[])[] = [];
    await passTime(all, 3_000, async () => {
      last = await transcripts();
      return last.every((one) => one.length === sent.length && one.join("\n") === last[0]?.join("\n"));
    }).catch((error: unknown) => {
      throw new Error(`The transcripts differ:\n${last.map((one) => one.join(" | ")).join("\n")}`, { cause: error });
    });
    const words = (last[0] ?? []).map((line) => line.replace(/[! ].*$/, ""));
    expect([...words].sort()).toEqual([...sent].sort());

    await bob.messenger.markRead(keyOf(ann));
    await passTime(all, 3_000, async () => {
      const own = (await chatOf(ann, keyOf(bob))).filter(({ direction }) => direction === "out");
      return own.every(({ state }) => state === "read");
    });

    relays.home.unlink(keyOf(ann), annAway.account.devicePub);
    await bob.messenger.sendText(keyOf(ann), "after the revocation");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("after the revocation"));
    for (const device of all) device.time.advance(60_000);
    expect(await textsOf(annAway, keyOf(bob))).not.toContain("after the revocation");
  },
  60_000,
);
