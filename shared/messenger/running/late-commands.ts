// Commands of a running messenger that need nothing but what its parts share: each kind is loaded with its first use.
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Such commands of one run. */
export class LateCommands {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  /** `onQueued`: something waits in the outbox. */
  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  readonly payments = loadedLate(async () => {
    const { Payments } = await import("../commands/payments.ts");
    return new Payments(this.#context, this.#onQueued);
  });
  readonly programs = loadedLate(async () => {
    const { ProgramMessages } = await import("../commands/program-messages.ts");
    return new ProgramMessages(this.#context, this.#onQueued);
  });
  readonly noting = loadedLate(async () => {
    const { Noting } = await import("../commands/noting.ts");
    return new Noting(this.#context, this.#onQueued);
  });
  readonly calls = loadedLate(async () => {
    const { CallCommands } = await import("../commands/calls.ts");
    return new CallCommands(this.#context, this.#onQueued);
  });
  readonly backups = loadedLate(async () => {
    const { Backups } = await import("../transfer/backups.ts");
    return new Backups(this.#context);
  });
  readonly stickers = loadedLate(async () => {
    const { Stickers } = await import("../commands/files/own-stickers.ts");
    return new Stickers(this.#context, this.#onQueued);
  });
}
