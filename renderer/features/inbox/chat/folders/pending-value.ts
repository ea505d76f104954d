// A value that several actions change one after the other: the next one counts from what was chosen, not from what is stored by now.

/** What a {@link PendingValue} is over. */
export interface PendingPorts<T> {
  /** What is stored at this moment; a drawn view may lag behind it. */
  readonly read: () => T;
  readonly save: (value: T) => Promise<void>;
  /** Shows what is being stored; with undefined again what is stored. */
  readonly show: (chosen: { readonly value: T } | undefined) => void;
}

/** Changes of a stored value, each of which is saved at once. */
export class PendingValue<T> {
  #chosen: { readonly value: T } | undefined;
  #saving = 0;

  /** Saves what a change makes of what was chosen last, or of what is stored once all of that is. @throws what `save` rejects with. */
  async change(next: (value: T) => T, { read, save, show }: PendingPorts<T>): Promise<void> {
    const value = next(this.#chosen === undefined ? read() : this.#chosen.value);
    this.#chosen = { value };
    this.#saving += 1;
    show(this.#chosen);
    try {
      await save(value);
    } finally {
      this.#saving -= 1;
      if (this.#saving === 0) {
        this.#chosen = undefined;
        show(undefined);
      }
    }
  }
}
