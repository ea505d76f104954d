// Mail on its way: written down before it is promised, sent until enough keepers have signed, gone on with after a stop.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog } from "#node/observability/log.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { MailSender } from "#node/relay/keepers/sending/mail-sender.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { type MailQueue, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { receiptMark, signReceipt } from "#shared/protocol/mail/mail-receipt.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const STRANGER = { source: UNKNOWN_SOURCE, isOpen: false, ledgers: [] };
const BOX = "ab".repeat(32);
const SILENT = createLog("json", { write: () => undefined });
const KEEPERS = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => keeperOf(n, `/ip4/8.8.${n}.1/tcp/1`));
/** Ends of what keepers promise, on the clock of these tests: a moment after it began, and later than mail waits for its keepers. */
const SOON_SEC = 1_060;
const LATE_SEC = 10_000_000;
type Put = Extract<MailRequest, { readonly type: "put" }>;

interface SenderWorld {
  readonly time: VirtualTime;
  readonly queue: MailQueue;
  /** Requests as `keeper:items`, with those that it passes on to. */
  readonly puts: string[];
  readonly silent: Set<number>;
  readonly forging: Set<number>;
  /** Keepers that keep mail for a moment. */
  readonly hasty: Set<number>;
  /** Ids of envelopes that no keeper takes. */
  readonly refused: Set<string>;
  /** What keepers wait for before they answer. */
  readonly late: { promise: Promise<void> | undefined };
  readonly sender: MailSender;
  exchange(keepers: readonly Keeper[]): void;
  send(bytes?: number): Promise<void>;
}

/** A sender whose keepers do what the test says. */
function senderWorld(
  folder: string,
  options: { readonly maxBytes?: number; readonly limits?: Partial<typeof KEEPER_LIMITS> } = {},
): SenderWorld {
  const time = new VirtualTime();
  const queue = openMailQueue(folder, options.maxBytes);
  const puts: string[] = [];
  const silent = new Set<number>();
  const forging = new Set<number>();
  const hasty = new Set<number>();
  const refused = new Set<string>();
  const late: SenderWorld["late"] = { promise: undefined };
  let ranks: readonly Keeper[] = KEEPERS.slice(0, 6);
  const numberOf = (key: string): number => KEEPERS.findIndex((keeper) => keeper.key === key) + 1;
  const sender = new MailSender({
    chainId: CHAIN_ID,
    queue,
    ranks: { keepersOf: (): BoxKeepers => ({ keeping: ranks.slice(0, 3), standingIn: ranks.slice(3), draining: [] }) },
    ask: async (keeper, request): Promise<MailResponse> => {
      const n = numberOf(keeper);
      const { items, passOn } = request as Put;
      puts.push(`${n}:${items.length}${passOn.length > 0 ? `+${passOn.map(numberOf).join("")}` : ""}`);
      if (late.promise !== undefined) await late.promise;
      if (silent.has(n)) throw new CodedError("UPSTREAM_FAILED", "silent");
      if (items.some(({ envelope }) => refused.has(envelope.id))) throw new CodedError("UPSTREAM_FAILED", "refused");
      const marks = items.map((item) => receiptMark(item));
      const receipts = [n, ...passOn.map(numberOf)].map((by) => {
        const { pub: publicKey, seed: secret } = actor(by);
        const signed = signReceipt(CHAIN_ID, { marks, untilSec: hasty.has(by) ? SOON_SEC : LATE_SEC }, { publicKey, secret });
        return forging.has(by) ? { ...signed, untilSec: LATE_SEC + 1 } : signed;
      });
      return { type: "receipts", receipts };
    },
    openingOf: (): undefined => undefined,
    counts: (): boolean => true,
    verify: createNativeVerifier(),
    limits: { ...KEEPER_LIMITS, ...options.limits },
    clock: time.clock(1_000_000),
    timers: time,
    log: SILENT,
  });
  return {
    time,
    queue,
    puts,
    silent,
    forging,
    hasty,
    refused,
    late,
    sender,
    exchange(keepers: readonly Keeper[]): void {
      ranks = keepers;
      sender.onDirectory();
    },
    send: (bytes = 20): Promise<void> => sender.put({ envelope: unsealedEnvelope(BOX, bytes), admit: null }, STRANGER),
  };
}

async function world(options: Parameters<typeof senderWorld>[1] = {}): Promise<SenderWorld & { readonly folder: TemporaryFolder }> {
  const folder = await createTemporaryFolder();
  const made = senderWorld(folder.path, options);
  onTestFinished(async () => {
    made.sender.close();
    made.queue.close();
    await folder.remove();
  });
  made.sender.start();
  return Object.assign(made, { folder });
}

describe("a sender of mail", () => {
  it("hands an envelope to three keepers, and forgets it", async () => {
    const { sender, send, puts, queue, time } = await world();
    await send();
    expect(queue.usage.count).toBe(1);
    await pollUntil(() => sender.figures.handedOver === 1 && puts.length === 3);
    expect(puts.toSorted()).toEqual(["1:1", "2:1", "3:1"]);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 0);
    expect(puts).toHaveLength(3);
  });

  it("gathers what is sent at once, and has what is large passed on", async () => {
    const { sender, send, puts } = await world();
    await Promise.all([send(), send(), send()]);
    await pollUntil(() => sender.figures.handedOver === 3);
    expect(puts.toSorted()).toEqual(["1:3", "2:3", "3:3"]);
    puts.length = 0;
    await send(20_000);
    await pollUntil(() => sender.figures.handedOver === 4);
    expect(puts).toEqual(["1:1+23"]);
  });

  it("keeps no envelope waiting behind others whose keepers do not answer, and goes on with those later", async () => {
    const { sender, refused, queue, time } = await world({ limits: { deliveries: 2, setAsideMs: 1_000, readAgainMs: 1_000 } });
    const [first, second, third] = [1, 2, 3].map(() => unsealedEnvelope(BOX)) as [Envelope, Envelope, Envelope];
    refused.add(first.id).add(second.id);
    for (const envelope of [first, second, third]) await sender.put({ envelope, admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 2);
    expect(sender.figures.handedOver).toBe(1);
    refused.clear();
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 0);
    expect(sender.figures.handedOver).toBe(3);
  });

  it("keeps none waiting either behind others that wait for their budget", async () => {
    const { sender, refused, queue, time } = await world({ limits: { deliveries: 2, silentBytesPerS: 1, silentBytesBurst: 0 } });
    const [first, second, third] = [1, 2, 3].map(() => unsealedEnvelope(BOX)) as [Envelope, Envelope, Envelope];
    refused.add(first.id).add(second.id);
    for (const envelope of [first, second, third]) await sender.put({ envelope, admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 2);
    expect(sender.figures.handedOver).toBe(1);
  });

  it("sends what it set aside no more often where it does not remember to whom, and new mail before it", async () => {
    const limits = { deliveries: 2, asideEntries: 1, readAgainMs: 1_000, silentBytesPerS: 0, silentBytesBurst: 0 };
    const { sender, refused, puts, queue, time, send } = await world({ limits });
    const some = Array.from({ length: 8 }, () => unsealedEnvelope(BOX));
    for (const { id } of some) refused.add(id);
    for (const envelope of some) await sender.put({ envelope, admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.seqs(0, 9, 9).length === 8 && time.nowMs > 60_000);
    // Each once to each of six, some of them in one request.
    expect(puts.length).toBeGreaterThanOrEqual(24);
    expect(puts.reduce((sum, put) => sum + Number(put.split(":")[1]), 0)).toBe(8 * 6);
    await send();
    const sentMs = time.nowMs;
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 8);
    expect(time.nowMs - sentMs).toBeLessThan(2_000);
  });

  it("reads no content of what is not due", async () => {
    const limits = { deliveries: 1, readAgainMs: 1_000, firstRetryMs: 600_000, silentBytesPerS: 0, silentBytesBurst: 0 };
    const { sender, refused, puts, queue, time } = await world({ limits });
    const some = [1, 2, 3].map(() => unsealedEnvelope(BOX));
    for (const { id } of some) refused.add(id);
    for (const envelope of some) await sender.put({ envelope, admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && puts.length === 18 && time.nowMs > 30_000);
    const [list, get] = [vi.spyOn(queue, "list"), vi.spyOn(queue, "get")];
    const endMs = time.nowMs + 60_000;
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && time.nowMs > endMs);
    expect([list.mock.results.flatMap(({ value }) => value), get.mock.calls, puts.length]).toEqual([[], [], 18]);
  });

  it("counts a receipt that comes after the envelope was set aside", async () => {
    const { sender, late, queue, time } = await world({
      limits: { deliveries: 1, silentBytesPerS: 0, silentBytesBurst: 0 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    late.promise = promise;
    await sender.put({ envelope: unsealedEnvelope(BOX), admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && time.nowMs > 8_000);
    late.promise = undefined;
    await sender.put({ envelope: unsealedEnvelope(BOX), admit: null }, STRANGER);
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 1);
    resolve();
    await pollUntil(() => time.advance(KEEPER_LIMITS.tickMs) === undefined && queue.usage.count === 0);
    expect(sender.figures.handedOver).toBe(2);
  });

  it("asks the next ranks for keepers that refuse, and counts no receipt that is not signed", async () => {
    const { sender, send, puts, silent, forging } = await world();
    silent.add(1);
    forging.add(2);
    await send();
    await pollUntil(() => sender.figures.handedOver === 1 && puts.length >= 5);
    expect(puts.toSorted()).toEqual(["1:1", "2:1", "3:1", "4:1", "5:1"]);
  });

  it("counts no receipt of a keeper that keeps mail for less time than the queue", async () => {
    const { sender, send, puts, hasty } = await world();
    hasty.add(1).add(2);
    await send();
    await pollUntil(() => sender.figures.handedOver === 1 && puts.length >= 5);
    expect(puts.toSorted()).toEqual(["1:1", "2:1", "3:1", "4:1", "5:1"]);
  });

  it("goes on with what is written down, by the keepers of that time", async () => {
    const first = await world();
    for (const n of [1, 2, 3, 4, 5, 6]) first.silent.add(n);
    await first.send();
    first.sender.close();
    first.queue.close();
    const second = senderWorld(first.folder.path);
    second.sender.start();
    await pollUntil(() => second.sender.figures.handedOver === 1);
    expect(second.puts.toSorted()).toEqual(["1:1", "2:1", "3:1"]);
    second.sender.close();
    // What three have signed for is forgotten at the end at the latest.
    await pollUntil(() => second.queue.usage.count === 0);
    second.queue.close();
  });

  it("turns to other keepers when the directory names others", async () => {
    const { send, puts, silent, exchange, sender } = await world();
    for (const n of [1, 2, 3, 4, 5, 6]) silent.add(n);
    await send();
    await pollUntil(() => puts.length === 6);
    puts.length = 0;
    exchange(KEEPERS.slice(6));
    await pollUntil(() => sender.figures.handedOver === 1);
    expect(puts.toSorted()).toEqual(["7:1", "8:1", "9:1"]);
  });

  it("refuses what the queue has no room for, and gives up what no keeper took in its time", async () => {
    const { send, silent, sender, queue, time } = await world({ maxBytes: 1_000, limits: { keptMs: 60_000 } });
    for (const n of [1, 2, 3, 4, 5, 6]) silent.add(n);
    await send();
    await expect(send(2_000)).rejects.toMatchObject({ code: "RELAY_FULL" });
    expect([sender.figures.refused, queue.usage.count]).toEqual([1, 1]);
    time.advance(59_000);
    expect(queue.usage.count).toBe(1);
    time.advance(2_000);
    expect([queue.usage.count, sender.figures.expired]).toEqual([0, 1]);
  });
});
