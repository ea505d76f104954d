// What two keepers of a slot send each other to find what they differ in, by how much that is: the real session over real entries.
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { answerRanges } from "#node/relay/keepers/repair/answer-ranges.ts";
import { MailEntries, type MailEntry } from "#node/relay/keepers/repair/mail-entries.ts";
import { RepairSession } from "#node/relay/keepers/repair/repair-session.ts";
import type { RangeAnswer } from "#shared/protocol/mail/mail-messages.ts";
import { boxKey, hashText } from "./simulated-relays.ts";

/** What a repair took beside the mail that it moved. */
export interface RepairCost {
  readonly requests: number;
  /** Bytes of questions and answers, without envelopes. */
  readonly bytes: number;
  readonly moved: number;
  readonly sessions: number;
}

/** Bytes of an entry in a list, a place that is fetched, a digest and a range, as CBOR has them. */
const ENTRY_BYTES = 57;
const PLACE_BYTES = 52;
const DIGEST_BYTES = 38;
const RANGE_BYTES = 6;
const BOXES = 61;

/** Repairs a slot of so many entries of which one side lacks so many. @throws Error when both are not equal in the end. */
export function repairCost(entries: number, lacking: number): RepairCost {
  const all = Array.from(
    { length: entries },
    (_, n): MailEntry => ({ box: boxKey(n % BOXES), id: hashText(`mail ${n}`).slice(0, 32), receivedSec: n }),
  );
  const [own, other] = [new MailEntries(KEEPER_LIMITS.listedEntries), new MailEntries(KEEPER_LIMITS.listedEntries)];
  for (const [n, entry] of all.entries()) {
    if (n >= lacking) own.add(entry);
    other.add(entry);
  }
  let [requests, bytes, sessions] = [0, 0, 0];
  for (let isEqual = false; !isEqual; sessions += 1) {
    const session = new RepairSession(own, KEEPER_LIMITS);
    for (let step = session.next(); ; step = session.next()) {
      if (step.is === "end") {
        if (step.outcome === "lie") throw new Error("An honest side counts as lying");
        isEqual = step.outcome === "equal";
        break;
      }
      bytes += pass(session, step, other);
    }
    requests += session.spent.requests;
  }
  if (own.size !== entries) throw new Error(`${own.size} of ${entries} entries after repair`);
  return { requests, bytes, moved: lacking, sessions };
}

/** Bytes that a step took. */
function pass(
  session: RepairSession,
  step: Exclude<ReturnType<RepairSession["next"]>, { readonly is: "end" }>,
  other: MailEntries,
): number {
  switch (step.is) {
    case "digest":
      session.takeDigest(other.digest(""));
      return DIGEST_BYTES;
    case "ranges": {
      const answers = answerRanges(other, step.ranges, KEEPER_LIMITS);
      session.takeRanges(answers);
      return step.ranges.length * RANGE_BYTES + answers.reduce((sum, answer) => sum + answerBytes(answer), 0);
    }
    case "fetch":
      session.takeFetched(step.entries, step.entries);
      return step.entries.length * PLACE_BYTES;
    case "tellDeleted":
      throw new Error("Nothing is deleted here");
  }
}

function answerBytes(answer: RangeAnswer): number {
  return answer.is === "list" ? answer.entries.length * ENTRY_BYTES : answer.digests.length * DIGEST_BYTES;
}
