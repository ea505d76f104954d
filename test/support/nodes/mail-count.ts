// Messages that were sent and that arrived: which are missing, which came twice, and how long they took.

/** What came of the messages of one time. */
export interface MailFigures {
  readonly sent: number;
  readonly lost: number;
  readonly doubled: number;
  /** From sending to arrival, ms, undefined while none has arrived. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  readonly longest: number | undefined;
}

/** Counts by the name of a time. */
export class MailCount {
  readonly #sent = new Map<string, { readonly phase: string; readonly atMs: number }>();
  readonly #tookMs = new Map<string, number>();
  readonly #doubled = new Map<string, number>();

  /** A message is handed in. */
  send(id: string, phase: string, atMs: number): void {
    this.#sent.set(id, { phase, atMs });
  }

  /** True for a message that has arrived. */
  has(id: string): boolean {
    return this.#tookMs.has(id);
  }

  /** A message came; one that was not sent is no one's. */
  arrive(id: string, atMs: number): void {
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    if (this.#tookMs.has(id)) this.#doubled.set(sent.phase, (this.#doubled.get(sent.phase) ?? 0) + 1);
    else this.#tookMs.set(id, atMs - sent.atMs);
  }

  /** Messages that have not arrived. */
  get missing(): number {
    return this.#sent.size - this.#tookMs.size;
  }

  /** Messages that have arrived, of all times. */
  get arrived(): number {
    return this.#tookMs.size;
  }

  figures(phase: string): MailFigures {
    const ids = [...this.#sent].filter(([, sent]) => sent.phase === phase).map(([id]) => id);
    const times = ids.flatMap((id) => this.#tookMs.get(id) ?? []).toSorted((a, b) => a - b);
    const at = (share: number): number | undefined => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    const doubled = this.#doubled.get(phase) ?? 0;
    return { sent: ids.length, lost: ids.length - times.length, doubled, p50: at(0.5), p99: at(0.99), longest: at(1) };
  }
}
