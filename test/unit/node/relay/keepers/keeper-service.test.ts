// What a keeper signs for: what it was handed, and not another copy that has the same id.
import { expect, it } from "vitest";
import { SlotMail } from "#node/relay/keepers/repair/slot-mail.ts";
import { KeeperService } from "#node/relay/keepers/serving/keeper-service.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_START_SEC, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const BOX = "ab".repeat(32);

it("gives a receipt for what it has, and none where someone was faster with an altered copy", async () => {
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: () => new SlotMail({ relay, store }),
    ranks: { isKeeper: () => true, isKeeperOfSlot: () => true, isRanked: () => true, find: () => keeperOf(1, ""), epoch: 1 },
    sourceOf: () => UNKNOWN_SOURCE,
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: () => Promise.resolve(),
    clock: time.clock(MAIL_START_SEC * 1_000),
    timers: time,
  });
  const put = async (...envelopes: readonly Envelope[]): Promise<readonly string[]> => {
    const items = envelopes.map((envelope) => ({ envelope, admit: null }));
    const response = await service.respond({ type: "put", items, openings: [], passOn: [] }, "someone");
    return response?.type === "receipts" ? response.receipts.flatMap(({ marks }) => marks) : [];
  };
  const [sent, other] = [unsealedEnvelope(BOX), unsealedEnvelope(BOX)];
  const altered = { ...sent, sender_pub: "ef".repeat(32) };
  const markOf = (envelope: Envelope): string => receiptMark({ envelope, admit: null });
  expect(await put(altered, other)).toEqual([markOf(altered), markOf(other)]);
  expect(await put(sent, other)).toEqual([markOf(other)]);
  // Nodes of a sender that named no time name their own.
  expect(await put({ ...other, sent_at: other.sent_at + 1 })).toEqual([markOf(other)]);
  // What waits for its turn when the node stops reads nothing any more.
  const turns = [1, 2].map(() => service.respond({ type: "fetch", places: [{ box: BOX, id: other.id }] }, "someone"));
  await new Promise(setImmediate);
  service.close();
  time.advance(10_000);
  expect((await Promise.all(turns)).map((response) => response?.type)).toEqual(["mail", "busy"]);
});

it("looks up no ranks for strangers where it is no keeper, and otherwise few of them in one turn", async () => {
  const { relay, store } = await mailNode();
  const time = new VirtualTime();
  const { pub: publicKey, seed: secret } = actor(1);
  const ranked = new Set<string>();
  let [workedMs, isKeeper] = [0, false];
  const clock = time.clock(MAIL_START_SEC * 1_000);
  const service = new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, retentionMs: 1_000, scope: "cd".repeat(16) },
    slotMail: () => new SlotMail({ relay, store }),
    ranks: {
      // Three milliseconds for a box that was not looked up before.
      isKeeper: (_, box) => {
        if (!ranked.has(box)) workedMs += 3;
        ranked.add(box);
        return true;
      },
      isKeeperOfSlot: () => true,
      isRanked: (box) => ranked.has(box),
      find: () => (isKeeper ? keeperOf(1, "") : undefined),
      epoch: 1,
    },
    sourceOf: () => UNKNOWN_SOURCE,
    ask: () => Promise.reject(new CodedError("UPSTREAM_FAILED", "no one is asked")),
    tell: () => Promise.resolve(),
    clock: { ...clock, monotonicMs: () => clock.monotonicMs() + workedMs },
    timers: time,
  });
  const boxes = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(64, "0"));
  const watch = (): Promise<MailResponse | undefined> => service.respond({ type: "watch", boxes, isMore: false }, "stranger");
  expect([await watch(), ranked.size]).toEqual([{ type: "wrongKeeper", epoch: 1 }, 0]);
  isKeeper = true;
  const watched = watch();
  const turns = [ranked.size];
  while (ranked.size < boxes.length) {
    // Nine times as long as a piece took.
    time.advance(81);
    await new Promise(setImmediate);
    turns.push(ranked.size - turns.reduce((sum, count) => sum + count, 0));
  }
  expect([await watched, Math.max(...turns)]).toEqual([{ type: "done" }, 3]);
  // What is known makes no one wait.
  expect(await watch()).toEqual({ type: "done" });
  service.close();
});
