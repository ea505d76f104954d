// Runs one of the two machines against the node: polls the mailboxes, steps, sends. While the node is away it tries again, and says
// so to its listeners.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { LinkChannel, type LinkHost, type LinkSide } from "./link-channel.ts";
import { type LinkMailboxes, type LinkSession, sessionMailboxes } from "./link-keys.ts";
import { type LinkEnd, type LinkMessage, RENDEZVOUS_KINDS, SESSION_KINDS } from "./link-message.ts";
import type { LinkStep } from "./old-device.ts";

/** Pause between two polls of the mailboxes. */
const POLL_MS = 700;

/** What the machines have in common. */
interface AnyState {
  readonly phase: string;
  readonly session?: LinkSession;
}

interface AnyInput {
  readonly kind: string;
}

type MessageInput = { readonly kind: "message"; readonly message: LinkMessage };

/** One machine and where it begins. */
export interface LinkRunOptions<State extends AnyState, Input extends AnyInput> {
  readonly host: LinkHost & { readonly timers: Timers };
  readonly side: LinkSide;
  /** Mailboxes of the code. */
  readonly mailboxes: LinkMailboxes;
  readonly begin: LinkStep<State>;
  readonly step: (state: State, input: Input | MessageInput | { readonly kind: "time" }, nowMs: number) => LinkStep<State>;
}

/** What is shown of a run. */
export interface LinkRunSnapshot<State> {
  readonly state: State;
  /** Why the node could not be asked last time; null when it could. */
  readonly problem: CodedError | null;
}

/** A machine at work, from {@link LinkRun.start} to {@link LinkRun.stop}. */
export class LinkRun<State extends AnyState, Input extends AnyInput> {
  readonly #options: LinkRunOptions<State, Input>;
  readonly #rendezvous: LinkChannel;
  readonly #listeners = new Set<() => void>();
  #session: LinkChannel | undefined;
  #snapshot: LinkRunSnapshot<State>;
  #outgoing: readonly LinkMessage[];
  #isPolling = false;
  #isStopped = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: LinkRunOptions<State, Input>) {
    this.#options = options;
    this.#rendezvous = new LinkChannel(options.host, { mailboxes: options.mailboxes, side: options.side, kinds: RENDEZVOUS_KINDS });
    this.#snapshot = { state: options.begin.state, problem: null };
    this.#outgoing = options.begin.send;
  }

  readonly getSnapshot = (): LinkRunSnapshot<State> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    void this.#poll();
  }

  /** Something that the person did. */
  input(input: Input): void {
    this.#step(input);
    void this.#poll();
  }

  /** Sends to the other device under the keys of both. @throws CodedError of the node, BAD_REQUEST without those keys. */
  async send(message: LinkMessage): Promise<void> {
    if (this.#session === undefined) throw new CodedError("BAD_REQUEST", "The devices have not agreed on keys yet");
    await this.#session.send(message);
  }

  /** An end to the other device for later, when the keys of both are gone here; undefined without those keys. */
  sealEnd(reason: LinkEnd): Envelope | undefined {
    return this.#session?.seal({ kind: "end", reason });
  }

  /** What is still to be sent is tried once more: here, or at the end of the poll that is under way. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelTimer?.();
    if (!this.#isPolling) void this.#flush().catch(() => undefined);
  }

  async #poll(): Promise<void> {
    if (this.#isPolling || this.#isStopped) return;
    this.#isPolling = true;
    this.#cancelTimer?.();
    let problem: CodedError | null = null;
    try {
      await this.#flush();
      for (const channel of [this.#rendezvous, this.#session])
        for (const message of (await channel?.receive()) ?? []) this.#step({ kind: "message", message });
      await this.#flush();
    } catch (error) {
      problem = isCodedError(error) ? error : new CodedError("INTERNAL", "Linking failed in an unexpected way", { cause: error });
    }
    this.#isPolling = false;
    if (this.#isStopped) return;
    this.#step({ kind: "time" });
    if (problem?.code !== this.#snapshot.problem?.code) this.#show({ ...this.#snapshot, problem });
    this.#cancelTimer = this.#options.host.timers.setTimer(POLL_MS, () => void this.#poll());
  }

  #step(input: Input | MessageInput | { readonly kind: "time" }): void {
    const { state, send } = this.#options.step(this.#snapshot.state, input, this.#options.host.clock.nowMs());
    this.#outgoing = [...this.#outgoing, ...send];
    if (state === this.#snapshot.state) return;
    if (state.session !== undefined && this.#session === undefined) {
      const mailboxes = sessionMailboxes(state.session.key);
      this.#session = new LinkChannel(this.#options.host, { mailboxes, side: this.#options.side, kinds: SESSION_KINDS });
    }
    this.#show({ ...this.#snapshot, state });
  }

  /** What can be said under the code goes there; an end goes both ways, as one does not know where the other side listens. */
  async #flush(): Promise<void> {
    for (let message = this.#outgoing[0]; message !== undefined; message = this.#outgoing[0]) {
      if (RENDEZVOUS_KINDS.has(message.kind)) await this.#rendezvous.send(message);
      if (SESSION_KINDS.has(message.kind)) await this.#session?.send(message);
      this.#outgoing = this.#outgoing.slice(1);
    }
  }

  #show(snapshot: LinkRunSnapshot<State>): void {
    this.#snapshot = snapshot;
    for (const listener of [...this.#listeners]) listener();
  }
}
