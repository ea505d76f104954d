// Handing over is rare: its code is loaded when something is to be handed over, or was under way.

import type { HandoverInput, HandoverView } from "../model/device-transfer.ts";
import { HANDOVER_KEY } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { Handover } from "./handover.ts";
import type { UnfinishedLinks } from "./unfinished-links.ts";

/** Stands before {@link Handover}. */
export class HandoverGate {
  readonly #links: UnfinishedLinks;
  readonly #context: EngineContext;
  #handover: Handover | undefined;
  #isStopped = false;

  constructor(context: EngineContext, links: UnfinishedLinks) {
    this.#context = context;
    this.#links = links;
  }

  get view(): HandoverView | null {
    return this.#handover?.view ?? null;
  }

  /** Goes on with what was under way. */
  async resume(): Promise<void> {
    await this.#links.load();
    const record = await this.#context.store.readMeta<unknown>(HANDOVER_KEY);
    if (record !== undefined && record !== null) await (await this.#open()).resume();
  }

  /** Hands keepsakes and messages over to a device that was just linked; goes on after a restart. */
  async sendHandover(input: HandoverInput): Promise<void> {
    await (await this.#open()).send(input);
  }

  /** Ends handing over on both devices; once it is over, takes the note of it away. */
  async cancelHandover(): Promise<void> {
    await this.#handover?.cancel();
  }

  stop(): void {
    this.#isStopped = true;
    this.#handover?.stop();
  }

  async #open(): Promise<Handover> {
    const loaded = await import("./handover.ts");
    this.#handover ??= new loaded.Handover(this.#context, this.#links);
    if (this.#isStopped) this.#handover.stop();
    return this.#handover;
  }
}
