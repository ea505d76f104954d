// What no one who lies may become in a group, evaluated from what its owner truly wrote: no log is folded for it.

/** What a device shows of a group. */
export interface ShownGroup {
  readonly owner: string;
  readonly admins: readonly string[];
  readonly members: readonly string[];
  readonly name: string;
}

/** What the owner's devices wrote about those who lie. */
export class RightsOracle {
  /** Never named an admin, and named one in the beginning: their keys. */
  readonly #member: string;
  readonly #former: string;
  readonly #drops: string[] = [];
  readonly #removals: { readonly hash: string; readonly people: readonly string[] }[] = [];
  readonly #worthless = new Set<string>();
  readonly #void = new Set<string>();

  constructor({ member, former }: { readonly member: string; readonly former: string }) {
    this.#member = member;
    this.#former = former;
  }

  /** By this entry of the owner the one who had been named is an admin no more. */
  noteDrop(hash: string): void {
    this.#drops.push(hash);
  }

  /** By this entry of the owner people are removed, and no honest device adds them again. */
  noteRemoval(hash: string, people: readonly string[]): void {
    this.#removals.push({ hash, people });
  }

  /** Someone who lies is known to be removed. */
  isRemoved(knows: (hash: string) => boolean): boolean {
    return this.#removals.some(({ hash }) => knows(hash));
  }

  /** A name by someone who was never named. */
  noteWorthlessName(name: string): void {
    this.#worthless.add(name);
  }

  /** A name that was written after the owner had dropped its author, however it is dated. */
  noteLateName(name: string): void {
    this.#void.add(name);
  }

  /**
   * What does not hold on a device; undefined where everything does.
   * @param known.owner by what the chain has shown to the device
   * @param known.knows true for an entry that is in its log, or known to the base that it begins with
   */
  wrong(
    { owner, admins, members, name }: ShownGroup,
    { owner: expected, knows }: { readonly owner: string; knows(hash: string): boolean },
  ): string | undefined {
    if (owner !== expected) return `takes ${owner.slice(0, 4)} for the owner, and the chain says nothing of that`;
    if (admins.includes(this.#member)) return "takes someone for an admin whom no owner has named";
    if (this.#worthless.has(name)) return `shows "${name}", which was written without a right`;
    const removed = new Set(this.#removals.filter(({ hash }) => knows(hash)).flatMap(({ people }) => people));
    const isDropped = this.#drops.some(knows);
    if ((isDropped || removed.has(this.#former)) && admins.includes(this.#former))
      return "takes someone for an admin whom the owner has dropped";
    if (isDropped && this.#void.has(name)) return `shows "${name}", which was written after its author was dropped`;
    const written = members.find((person) => removed.has(person));
    return written === undefined ? undefined : `writes to ${written.slice(0, 4)}, who was removed`;
  }
}
