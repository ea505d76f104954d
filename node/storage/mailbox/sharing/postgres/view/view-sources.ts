// Who brought what, in a view: the parties of which most is there, and what the view has added and taken away.
import type { MailSource } from "../../../mail-sources.ts";
import { LackingMail, type LoadedMail, type SourceKind, type Sources } from "./loaded-mail.ts";

/** Numbers of sources within one view. */
export class SourceNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #sources: MailSource[] = [];

  numberOf({ party, tag }: MailSource): number {
    const key = `${party}\n${tag}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#sources.length);
    return this.#sources.push({ party, tag }) - 1;
  }

  find({ party, tag }: MailSource): number | undefined {
    return this.#numbers.get(`${party}\n${tag}`);
  }

  partyOf(number: number): string {
    return this.#sources[number]?.party ?? "";
  }
}

/** Figures of one kind of mail. */
export class ViewSources {
  readonly #loaded: LoadedMail;
  readonly #kind: SourceKind;
  readonly #numbers: SourceNumbers;
  readonly #added = new Map<string, Map<string, number>>();

  constructor(loaded: LoadedMail, kind: SourceKind, numbers: SourceNumbers) {
    this.#loaded = loaded;
    this.#kind = kind;
    this.#numbers = numbers;
  }

  /** What the view has added or, below 0, taken away. */
  get added(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#added;
  }

  partyOf(number: number): string {
    return this.#numbers.partyOf(number);
  }

  find(source: MailSource): number | undefined {
    return this.#numbers.find(source);
  }

  add({ party, tag }: MailSource, bytes: number): void {
    const tags = this.#added.get(party) ?? new Map<string, number>();
    this.#added.set(party, tags.set(tag, (tags.get(tag) ?? 0) + bytes));
  }

  bytesOf(party: string): number {
    const sources = this.#sources([party]);
    if (!sources.has(party)) throw new LackingMail({ type: "largest", kind: this.#kind, parties: [...sources.keys(), party] });
    return this.#sum(party);
  }

  largestParty(): string | undefined {
    let largest: string | undefined;
    let most = 0;
    for (const party of new Set([...this.#sources([]).keys(), ...this.#added.keys()])) {
      const bytes = this.bytesOf(party);
      if (bytes > most) [largest, most] = [party, bytes];
    }
    return largest;
  }

  /** The client of a party of which most is there. */
  largestTagOf(party: string): string | undefined {
    const added = this.#added.get(party);
    const loaded = this.#sources([party]).get(party);
    let [largest, most]: [string | undefined, number] = [undefined, 0];
    for (const tag of new Set([...(loaded?.keys() ?? []), ...(added?.keys() ?? [])])) {
      const bytes = (loaded?.get(tag) ?? 0) + (added?.get(tag) ?? 0);
      if (bytes > most) [largest, most] = [tag, bytes];
    }
    return largest;
  }

  #sources(parties: readonly string[]): Sources {
    const sources = this.#loaded.sources.get(this.#kind);
    if (sources === undefined) throw new LackingMail({ type: "largest", kind: this.#kind, parties });
    return sources;
  }

  #sum(party: string): number {
    let sum = 0;
    for (const bytes of this.#loaded.sources.get(this.#kind)?.get(party)?.values() ?? []) sum += bytes;
    for (const bytes of this.#added.get(party)?.values() ?? []) sum += bytes;
    return sum;
  }
}
