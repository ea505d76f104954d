// What owners of boxes say at this node, on its way to the keepers of their boxes: openings and deletions. A keeper that does not answer is
// asked a few times. After that it learns openings with the mail that they admit, and deletions from those who read there.

import type { Log } from "#node/observability/log.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Timers } from "#shared/util/clock.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";

export interface OwnerNoticesDependencies {
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly limits?: KeeperLimits;
  readonly timers: Timers;
  readonly log: Log;
}

/** A request of an owner. */
export type OwnerRequest = Extract<MailRequest, { readonly type: "open" | "delete" }>;

const TRIES = 4;

/** Passes on. */
export class OwnerNotices {
  readonly #dependencies: OwnerNoticesDependencies;
  readonly #limits: KeeperLimits;
  #underWay = 0;
  #isClosed = false;

  constructor(dependencies: OwnerNoticesDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
  }

  /** Requests that some keeper has not answered yet. */
  get size(): number {
    return this.#underWay;
  }

  /** Sends a request to keepers. Beyond what may be under way it is left to those who read. */
  send(keepers: readonly PublicKeyHex[], request: OwnerRequest): void {
    for (const keeper of keepers) {
      if (this.#isClosed || this.#underWay >= this.#limits.ownerNotices) return;
      this.#underWay += 1;
      void this.#sendOne(keeper, request).finally(() => {
        this.#underWay -= 1;
      });
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  async #sendOne(keeper: PublicKeyHex, request: OwnerRequest): Promise<void> {
    const { ask, timers, log } = this.#dependencies;
    for (let tried = 1; tried <= TRIES && !this.#isClosed; tried += 1) {
      try {
        const { type } = await ask(keeper, request, AbortSignal.timeout(this.#limits.requestMs));
        if (type !== "busy") return;
      } catch (error) {
        log.debug({ err: error, keeper, request: request.type }, "A keeper did not take what an owner said");
      }
      if (tried < TRIES) await new Promise<void>((resolve) => void timers.setTimer(this.#limits.firstRetryMs * 2 ** tried, resolve));
    }
  }
}
