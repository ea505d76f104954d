// One slot and one other keeper: runs the machine of a repair over requests.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { slotOf } from "#shared/protocol/keepers/placement.ts";
import type { MailDigest, MailRequest, MailResponse, RangeAnswer } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { KeptFetcher } from "./kept-fetcher.ts";
import type { MailEntries } from "./mail-entries.ts";
import { type RepairOutcome, RepairSession } from "./repair-session.ts";

export interface SlotRepair {
  /** What this node has, to which what comes is added. */
  readonly own: MailEntries;
  readonly slot: number;
  readonly keeper: PublicKeyHex;
  readonly limits: KeeperLimits;
  /** @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest) => Promise<MailResponse>;
  readonly fetcher: Pick<KeptFetcher, "judge" | "fetch" | "tellDeleted">;
}

/** Fetches what the keeper has of the slot and this node lacks. @throws CodedError UPSTREAM_FAILED when the keeper does not answer any more. */
export async function repairSlot({ own, slot, keeper, limits, ask, fetcher }: SlotRepair): Promise<RepairOutcome> {
  const session = new RepairSession(own, limits, (entry) => fetcher.judge(entry));
  for (;;) {
    const step = session.next();
    switch (step.is) {
      case "end":
        return step.outcome;
      case "digest":
        session.takeDigest(digestOf(await ask(keeper, { type: "digest", slots: [slot] })));
        break;
      case "ranges": {
        const response = await ask(keeper, { type: "ranges", slot, ranges: step.ranges });
        if (response.type !== "ranges") throw refused(response);
        // What lies in another slot is no answer.
        session.takeRanges(response.answers.every((answer) => isOfSlot(answer, slot)) ? response.answers : []);
        break;
      }
      case "fetch": {
        const { came, stored } = await fetcher.fetch(keeper, step.entries);
        session.takeFetched(came, stored);
        break;
      }
      case "tellDeleted":
        await fetcher.tellDeleted(keeper, step.entries);
        session.takeTold();
        break;
    }
  }
}

function digestOf(response: MailResponse): MailDigest {
  const [digest] = response.type === "digests" ? response.digests : [];
  if (digest === undefined || digest === null) throw refused(response);
  return digest;
}

function isOfSlot(answer: RangeAnswer, slot: number): boolean {
  return answer.is === "split" || answer.entries.every(({ box }) => slotOf(box, nativeSha256) === slot);
}

function refused({ type }: MailResponse): CodedError {
  return new CodedError("UPSTREAM_FAILED", `The keeper refuses to compare its mail: ${type}`);
}
