// Readers of this gateway, as it names them to the node that it follows: the node reads their mailboxes at keepers then, and its feed has what
// came. They are named again and again, so that a node which was started again, or another one, knows them too.
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { NAMED_A_REQUEST, NAMED_READERS, NAMING_AGAIN_MS, NAMING_CHECK_MS, NAMING_PAUSE_MS } from "./gateway-limits.ts";
import type { NodeLinks } from "./node-links.ts";

export interface NamedReadersDependencies {
  readonly links: Pick<NodeLinks, "request">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
}

interface Reader {
  /** The network that it reads from. */
  readonly party: string;
  readonly readAtMs: number;
}

const { method, path } = rawEndpoints.nameReaders;

/** Names readers. */
export class NamedReaders {
  readonly #dependencies: NamedReadersDependencies;
  /** All that read here, those that did so longest ago first. */
  readonly #readers = new Map<X25519KeyHex, Reader>();
  /** Readers of each network. */
  readonly #counts = new Map<string, number>();
  /** Those that the node does not know yet. */
  readonly #waiting = new Set<X25519KeyHex>();
  /** The run of a node that knows the others. */
  #scope: string | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #allNamedAtMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #isFull = false;
  #running = Promise.resolve();
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(dependencies: NamedReadersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to name. */
  start(): void {
    this.#schedule();
  }

  /**
   * Someone reads this mailbox here, or did some time ago. Where too many do, the network with most of them loses the one that read longest
   * ago.
   */
  note(reader: X25519KeyHex, party = "", idleMs = 0): void {
    const isKnown = this.#forget(reader);
    this.#readers.set(reader, { party, readAtMs: this.#dependencies.clock.monotonicMs() - idleMs });
    this.#counts.set(party, (this.#counts.get(party) ?? 0) + 1);
    if (isKnown) return;
    this.#waiting.add(reader);
    if (this.#readers.size <= NAMED_READERS) return;
    const oldest = this.#oldestOfLargest();
    this.#forget(oldest);
    this.#waiting.delete(oldest);
  }

  #forget(reader: X25519KeyHex): boolean {
    const party = this.#readers.get(reader)?.party;
    if (party === undefined) return false;
    const count = (this.#counts.get(party) ?? 0) - 1;
    if (count > 0) this.#counts.set(party, count);
    else this.#counts.delete(party);
    return this.#readers.delete(reader);
  }

  #oldestOfLargest(): X25519KeyHex {
    const most = Math.max(...this.#counts.values());
    for (const [reader, { party }] of this.#readers) if (this.#counts.get(party) === most) return reader;
    return "";
  }

  /** True for a reader that the node knows by now. */
  has(reader: X25519KeyHex): boolean {
    return this.#readers.has(reader) && !this.#waiting.has(reader);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#running;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    // A node that is away, or of an earlier version, is not asked at each turn.
    const delayMs = this.#hasFailed ? NAMING_CHECK_MS : NAMING_PAUSE_MS;
    this.#cancel = this.#dependencies.timers.setTimer(delayMs, () => {
      this.#running = this.#round().finally(() => this.#schedule());
    });
  }

  /** Never rejects. */
  async #round(): Promise<void> {
    const { clock, onError } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const isDue = nowMs - this.#allNamedAtMs >= NAMING_AGAIN_MS;
    if (this.#waiting.size === 0 && !isDue && nowMs - this.#askedAtMs < NAMING_CHECK_MS) return;
    this.#askedAtMs = nowMs;
    if (isDue) this.#nameAll(nowMs);
    try {
      do await this.#nameSome();
      while (this.#waiting.size > 0 && !this.#isClosed);
      this.#hasFailed = false;
    } catch (error) {
      // Once for a time without the other side.
      if (!this.#hasFailed || !isCodedError(error)) onError(error, "Readers could not be named to a node: their mail may come late");
      this.#hasFailed = true;
    }
  }

  #nameAll(nowMs: number): void {
    this.#allNamedAtMs = nowMs;
    // Those that read last come first: there may not be room for all.
    for (const reader of [...this.#readers.keys()].reverse()) this.#waiting.add(reader);
  }

  /** @throws CodedError UNAVAILABLE or UPSTREAM_FAILED */
  async #nameSome(): Promise<void> {
    const readers = [...this.#waiting].slice(0, NAMED_A_REQUEST);
    const nowMs = this.#dependencies.clock.monotonicMs();
    const known = readers.map((reader) => this.#readers.get(reader) ?? { party: "", readAtMs: nowMs });
    // Of several gateways the node may have room for a part: by these it is fair to networks, and to those that read last.
    const parties = known.map(({ party }) => party);
    const idle = known.map(({ readAtMs }) => Math.max(0, Math.floor((nowMs - readAtMs) / 1_000)));
    const body = JSON.stringify({ readers, parties, idle_s: idle });
    const headers = { "content-type": "application/json" };
    const { status, text } = await this.#dependencies.links.request(path, { method, body, headers });
    if (status !== 200) throw new CodedError("UPSTREAM_FAILED", `A node does not take names of readers (${status}): ${text.slice(0, 200)}`);
    const { taken, scope } = answerOf(text);
    for (const reader of readers) this.#waiting.delete(reader);
    if (scope !== this.#scope) {
      const isFirst = this.#scope === undefined;
      this.#scope = scope;
      if (!isFirst) this.#nameAll(this.#dependencies.clock.monotonicMs());
    }
    this.#noteRoom(taken < readers.length);
  }

  #noteRoom(isFull: boolean): void {
    if (isFull && !this.#isFull)
      this.#dependencies.onError(
        new CodedError("RELAY_FULL", "The node reads as many mailboxes as it can"),
        "Some readers get their mail late",
      );
    this.#isFull ||= isFull;
  }
}

/** @throws CodedError UPSTREAM_FAILED for what is no answer of a node */
function answerOf(text: string): { readonly taken: number; readonly scope: string } {
  const answer = parsed(text) as { readonly taken?: unknown; readonly scope?: unknown } | null;
  if (typeof answer?.scope !== "string" || typeof answer.taken !== "number")
    throw new CodedError("UPSTREAM_FAILED", "A node's answer says nothing of readers");
  return { taken: answer.taken, scope: answer.scope };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
