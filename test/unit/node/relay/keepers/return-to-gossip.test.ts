// A network that gives its keepers up: what they have and what is on its way to them is passed on by gossip, once.
import { expect, it, onTestFinished } from "vitest";
import { keptEnvelopeCodec } from "#node/network/wire/mail-codec.ts";
import { createLog } from "#node/observability/log.ts";
import { RETURN_PAUSE_MS, ReturnToGossip } from "#node/relay/keepers/sending/return-to-gossip.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { encode } from "#shared/codec/codec.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const [KEPT, OTHER] = ["ab".repeat(32), "cd".repeat(32)];

it("passes on what is kept and what is under way, each once, while keepers are given up", async () => {
  const folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path);
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const published: string[] = [];
  const taken: string[] = [];
  let isReturning = false;
  const returning = new ReturnToGossip({
    ...{ queue, store, timers: time, log: createLog("json", { write: () => undefined }) },
    keeps: (box) => box === KEPT,
    isReturning: () => isReturning,
    take: ({ envelope }) => taken.push(envelope.id),
    publish: ({ envelope }) => published.push(envelope.id),
  });
  onTestFinished(async () => {
    returning.close();
    queue.close();
    await folder.remove();
  });
  const kept = Array.from({ length: 70 }, () => unsealedEnvelope(KEPT));
  const sent = unsealedEnvelope(OTHER);
  await relay.receive([...kept, unsealedEnvelope(OTHER)]);
  const content = encode(keptEnvelopeCodec, { envelope: sent, admit: null });
  queue.add([{ box: OTHER, id: sent.id, content, source: UNKNOWN_SOURCE, isOpen: false, bytes: 1, ledgers: [] }], 1);
  returning.start();
  time.advance(60_000);
  expect(published).toEqual([]);
  isReturning = true;
  time.advance(10_000 + 20 * RETURN_PAUSE_MS);
  // Not all at once.
  expect(published.length).toBeLessThan(70);
  time.advance(120_000);
  expect(published).toEqual([sent.id, ...kept.map(({ id }) => id)]);
  expect(taken).toEqual([sent.id]);
});
