// Group commit for a database that is asked over a connection: what comes while one batch is on its way shares the next one.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { MailView } from "../view/mail-view.ts";
import type { MailKeys } from "./mail-loader.ts";

/** A piece of work over mailboxes. It may throw coded errors, which fail it alone. */
export interface MailTask<T> {
  readonly keys: MailKeys;
  readonly work: (view: MailView) => T;
}

/** Makes the work of a batch durable. */
export type RunMail = <T>(keys: MailKeys, work: (view: MailView) => T) => Promise<T>;

interface Waiting {
  readonly task: MailTask<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: CodedError };

/** How much is collected. */
export interface MailQueueLimits {
  readonly batchEnvelopes: number;
  readonly waitingEnvelopes: number;
}

/** Collects tasks. */
export class MailQueue {
  readonly #run: RunMail;
  readonly #limits: MailQueueLimits;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(run: RunMail, limits: MailQueueLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** Tasks that wait for their turn. */
  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with what the task gives once that is durable. A task that is not `isBounded` waits however many do: its caller has few.
   * @throws CodedError of the task, UNAVAILABLE, or RELAY_FULL when too many wait
   */
  add<T>(task: MailTask<T>, isBounded = true): Promise<T> {
    if (isBounded && this.#waiting.length >= this.#limits.waitingEnvelopes)
      return Promise.reject(new CodedError("RELAY_FULL", "The service receives more messages than it can store: try again in a moment"));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ task, resolve: resolve as (value: unknown) => void, reject });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // What comes in the same turn belongs together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, this.#limits.batchEnvelopes));
    this.#draining = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#run(joinKeys(batch.map(({ task }) => task.keys)), (view) =>
        batch.map(({ task }) => outcomeOf(task, view)),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined && "value" in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      // What waits would fail in the same way, each batch after a time-out of its own.
      const failed = isCodedError(error, "UNAVAILABLE") ? [...batch, ...this.#waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }
}

function outcomeOf({ work }: MailTask<unknown>, view: MailView): Outcome {
  try {
    return { value: work(view) };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { error };
  }
}

function joinKeys(keys: readonly MailKeys[]): MailKeys {
  return {
    receiving: keys.flatMap(({ receiving }) => receiving),
    present: keys.flatMap(({ present }) => present),
    envelopes: keys.flatMap(({ envelopes }) => envelopes),
  };
}
