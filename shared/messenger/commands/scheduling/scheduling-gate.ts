// Scheduled messages of one run, whose code is loaded with the first of them.
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { ConversationId, TakenBack } from "../../model/message.ts";
import { problemOf } from "../../model/problem.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { LaterMessage, Scheduling, SchedulingEvents } from "./scheduling.ts";

/** Until something waits it does nothing. */
export class SchedulingGate {
  readonly #context: EngineContext;
  readonly #load: () => Promise<Scheduling>;
  #isReady = false;
  #isStopped = false;

  constructor(context: EngineContext, events: SchedulingEvents) {
    this.#context = context;
    this.#load = loadedLate(async () => {
      const { Scheduling: Loaded } = await import("./scheduling.ts");
      const scheduling = new Loaded(context, events);
      if (this.#isStopped) scheduling.stop();
      return scheduling;
    });
  }

  /** As of {@link Scheduling.scheduleMessage}. */
  async scheduleMessage(id: ConversationId, message: LaterMessage): Promise<string> {
    return (await this.#load()).scheduleMessage(id, message);
  }

  /** As of {@link Scheduling.changeScheduled}. */
  async changeScheduled(id: string, wanted: { readonly text?: string; readonly dueAt?: number }): Promise<"changed" | "left"> {
    return (await this.#load()).changeScheduled(id, wanted);
  }

  /** As of {@link Scheduling.sendScheduled}. */
  async sendScheduled(id: string): Promise<void> {
    return (await this.#load()).sendScheduled(id);
  }

  /** As of {@link Scheduling.deleteScheduled}. */
  async deleteScheduled(id: string): Promise<TakenBack> {
    return (await this.#load()).deleteScheduled(id);
  }

  /** The run has begun: contacts are known. */
  begin(): void {
    this.#isReady = true;
    this.check();
  }

  /** As of {@link Scheduling.check}. */
  check(): void {
    this.#with((scheduling) => scheduling.check());
  }

  /** As of {@link Scheduling.retryNow}. */
  retryNow(): void {
    this.#with((scheduling) => scheduling.retryNow());
  }

  stop(): void {
    this.#with((scheduling) => scheduling.stop());
    this.#isStopped = true;
  }

  #with(task: (scheduling: Scheduling) => void): void {
    if (this.#context.registry.scheduled.length === 0 || !this.#isReady || this.#isStopped) return;
    void this.#load().then(task, (error: unknown) => this.#context.report(problemOf(error)));
  }
}
