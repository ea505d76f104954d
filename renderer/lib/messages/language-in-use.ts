// The language in use: begins with the words of the first screens, gets the others as views need them, follows the person's choice.
import type { LanguageChoice } from "../settings/settings-store.ts";
import { EXTENTS, type Extent, type LoadedLanguage, loadLanguage } from "./languages.ts";

/** Holds the language; React reads it as an external store. */
export class LanguageInUse {
  readonly #preferred: readonly string[];
  readonly #listeners = new Set<() => void>();
  #choice: LanguageChoice;
  #current: LoadedLanguage;
  #requested: Extent;

  /** Loads the first words of a choice, for a user who prefers these languages. */
  static async open(choice: LanguageChoice, preferred: readonly string[]): Promise<LanguageInUse> {
    return new LanguageInUse(choice, preferred, await loadLanguage(choice, preferred, "first"));
  }

  private constructor(choice: LanguageChoice, preferred: readonly string[], current: LoadedLanguage) {
    this.#choice = choice;
    this.#preferred = preferred;
    this.#current = current;
    this.#requested = current.extent;
  }

  /** What is loaded. */
  readonly current = (): LoadedLanguage => this.#current;

  /** Calls the listener after each change. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes the language once its words are there. */
  async choose(choice: LanguageChoice): Promise<void> {
    this.#choice = choice;
    await this.#load();
  }

  /** Loads that much, now and for each language from now on; never less than before. */
  async extend(extent: Extent): Promise<void> {
    if (EXTENTS.indexOf(extent) > EXTENTS.indexOf(this.#requested)) this.#requested = extent;
    if (EXTENTS.indexOf(this.#current.extent) < EXTENTS.indexOf(extent)) await this.#load();
  }

  /** What was asked for last wins over what is loaded last. */
  async #load(): Promise<void> {
    const choice = this.#choice;
    const requested = this.#requested;
    const loaded = await loadLanguage(choice, this.#preferred, requested);
    if (choice !== this.#choice || requested !== this.#requested) return this.#load();
    const { tag, locale, extent } = this.#current;
    if (tag === loaded.tag && locale === loaded.locale && extent === loaded.extent) return;
    this.#current = loaded;
    for (const listener of this.#listeners) listener();
  }
}
