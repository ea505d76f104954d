// The newest block of the own node, as contents for contacts name it.
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { MessengerNode } from "../../model/node-port.ts";

/** The node is asked at most so often. */
const REFRESH_MS = 30_000;
/** No message waits longer for it. A light node without peers takes its time to say that it knows none. */
export const MAX_WAIT_MS = 300;

interface Surroundings {
  readonly node: Pick<MessengerNode, "newestBlock">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

/** One run's knowledge of it. */
export class NewestBlock {
  readonly #surroundings: Surroundings;
  #block: Checkpoint | undefined;
  #timeS: number | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The newest that is known; undefined before the first answer, and for a genesis. */
  get known(): Checkpoint | undefined {
    return this.#block?.height ? this.#block : undefined;
  }

  /** Time of the newest block, unix seconds: a clock besides one's own. Undefined before the first answer. */
  get timeS(): number | undefined {
    return this.#timeS;
  }

  /** {@link refresh} would ask the node. */
  get isDue(): boolean {
    return this.#surroundings.clock.monotonicMs() - this.#askedMs >= REFRESH_MS;
  }

  /** Asks the node when what is known is old, and waits for a moment. A node that does not answer changes nothing. */
  async refresh(): Promise<void> {
    const { node, clock, timers } = this.#surroundings;
    if (!this.isDue) return;
    this.#askedMs = clock.monotonicMs();
    await new Promise<void>((resolve) => {
      const cancel = timers.setTimer(MAX_WAIT_MS, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      node.newestBlock().then((block) => {
        this.#block = block && { height: block.height, hash: block.hash };
        this.#timeS = block?.timeS ?? this.#timeS;
        end();
      }, end);
    });
  }
}
