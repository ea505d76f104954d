// Asks devices for what is missing in their sender chains: after a while, with growing intervals, and not for ever. Loaded with the
// first gap.
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { problemOf } from "../model/problem.ts";
import type { StreamRecord } from "../model/records.ts";
import { asked, giveUp, MAX_ASKS, missingPositions } from "../model/stream-gaps.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { storeStep } from "./apply-streams.ts";

/** Watches the gaps of one run. */
export class GapRequester {
  readonly #context: EngineContext;
  /** Called when something was queued. */
  readonly #onQueued: () => void;
  #cancelTimer: CancelTimer | undefined;
  #isStopped = false;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Asks for what is due and sets the next time. Call when something has arrived. */
  check(): void {
    const { clock, timers, streams, writer } = this.#context;
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    const nowMs = clock.nowMs();
    const due = streams.withGap.filter(({ gap }) => (gap?.nextAskAt ?? 0) <= nowMs);
    if (due.length > 0)
      void writer
        .run(() => this.#ask(due))
        .then(
          () => {
            this.#onQueued();
            this.check();
          },
          (error: unknown) => this.#context.report(problemOf(error)),
        );
    const next = Math.min(...streams.withGap.filter((record) => !due.includes(record)).map(({ gap }) => gap?.nextAskAt ?? nowMs));
    if (Number.isFinite(next)) this.#cancelTimer = timers.setTimer(Math.max(0, next - nowMs), () => this.check());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #ask(due: readonly StreamRecord[]): Promise<void> {
    const { account, clock } = this.#context;
    const change = new Change(this.#context);
    for (const { peer, device, stream } of due) {
      const record = change.stream(peer, device, stream);
      const isWilling = peer === account.masterPub || change.isKnown(peer);
      // Looks that came before the first request was stored find the same gap.
      if (record.gap === null || record.gap.nextAskAt > clock.nowMs()) continue;
      if (record.gap.asks >= MAX_ASKS || !isWilling) await storeStep(this.#context, change, record, giveUp(record));
      else {
        change.queue(peer, { kind: "ask", device, stream, positions: missingPositions(record) });
        change.putStream(asked(record, clock.nowMs()));
      }
    }
    await change.commit();
  }
}
