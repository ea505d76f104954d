// A keeper whose answers have no end, and take their time, keeps a repair from no other keeper.
import { expect, it } from "vitest";
import { createLog } from "#node/observability/log.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { MailEntries } from "#node/relay/keepers/repair/mail-entries.ts";
import { MailRepair } from "#node/relay/keepers/repair/mail-repair.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type { MailDigest, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";
import { mailNode } from "#test/support/worlds/mail-world.ts";

const [own, slow, other] = [0, 1, 2].map((n) => actor(n).pub) as [string, string, string];
const EMPTY = new MailEntries(KEEPER_LIMITS.listedEntries).digest("");
const ENTRIES = 2 ** 50;

const digestOf = (depth: number): MailDigest => ({ count: ENTRIES / 16 ** depth, fingerprint: "ab".repeat(32) });

/** Everything differs, down to where ranges are many millions. */
function endless(request: MailRequest): MailResponse {
  if (request.type === "digest") return { type: "digests", digests: request.slots.map(() => digestOf(0)) };
  if (request.type !== "ranges") throw new Error("Nothing is listed, so that nothing is fetched");
  const digests = (depth: number): readonly MailDigest[] => Array.from({ length: 16 }, () => digestOf(depth));
  return { type: "ranges", answers: request.ranges.map(({ length }) => ({ is: "split", digests: digests(length + 1) })) };
}

it("gives each keeper its turn", async () => {
  const { relay, store } = await mailNode();
  let nowMs = 0;
  const askedAtMs: number[] = [];
  const ranked = [{ key: slow }, { key: own }, { key: other }];
  const repair = new MailRepair({
    counts: (): boolean => true,
    ...{ relay, store, ownKey: own, retentionMs: 1, sourceOf: () => UNKNOWN_SOURCE, onLie: () => undefined },
    log: createLog("json", { write: () => undefined }),
    limits: { ...KEEPER_LIMITS, sessionRequests: 100 },
    isActive: () => true,
    ranks: {
      version: "1",
      keepersOfSlot: (slot) => (slot === 5 ? { keeping: ranked, standingIn: [], all: ranked.map(({ key }) => key) } : undefined),
    },
    slotMail: () => ({ digest: () => EMPTY, copy: () => new MailEntries(KEEPER_LIMITS.listedEntries) }),
    ask: (keeper, request) => {
      if (keeper === other) askedAtMs.push(nowMs);
      else nowMs += KEEPER_LIMITS.requestMs - 1;
      return Promise.resolve(keeper === other ? { type: "digests", digests: [EMPTY] } : endless(request));
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    timers: {
      setTimer: (delayMs, callback) => {
        const immediate = setImmediate(() => {
          nowMs += delayMs;
          callback();
        });
        return () => clearImmediate(immediate);
      },
    },
  });
  repair.start();
  await pollUntil(() => askedAtMs.length >= 3);
  repair.close();
  const [first = 0, second = 0, third = 0] = askedAtMs;
  const { firstRepairMs, repairMs, turnMs } = KEEPER_LIMITS;
  // One request of the slow keeper, and the rest after it, may be under way when its turn is over.
  const mostMs = turnMs + 5 * KEEPER_LIMITS.requestMs;
  expect(first).toBeLessThanOrEqual(firstRepairMs + mostMs);
  // From then on it comes last.
  expect(second - first).toBeLessThanOrEqual(repairMs + 1);
  expect(third - second).toBeLessThanOrEqual(repairMs + mostMs + 1);
});
