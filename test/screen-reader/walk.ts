// A walk with a screen reader: steps by the keyboard, each printed with what was said.
import type { Desk } from "./desk.ts";

/** Stops on the way to a control; more than any view has. */
const MAX_STOPS = 60;

/** Prints as it goes. */
export class Walk {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** One step: what was done, and what was said. */
  async step(what: string, action: () => Promise<unknown>): Promise<void> {
    await action();
    const said = (await this.#desk.heard()).map((words) => `- ${words}`).join("\n") || "(silence)";
    process.stdout.write(`\n### ${what}\n\n${said}\n`);
  }

  /** A part that the others do not need: where it cannot be walked to its end, that is printed, and the next one follows. */
  async topic(name: string, walk: () => Promise<void>): Promise<void> {
    process.stdout.write(`\n## ${name}\n`);
    try {
      await walk();
    } catch (error) {
      process.exitCode = 1;
      process.stdout.write(`\n${name} ended early: ${error instanceof Error ? error.message : String(error)}\n`);
      await this.#desk.press("Escape", "Escape");
    }
    await this.#desk.heard();
  }

  /** Goes by the key to the control whose words match. What is heard on the way is dropped. @throws Error when it is not reached. */
  async reach(words: RegExp, key = "Tab"): Promise<void> {
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (words.test(await this.#words())) return void (await this.#desk.heard());
      await this.#desk.press(key);
    }
    throw new Error(`${String(words)} is not reached by ${key}; the focus is at "${await this.#words()}"`);
  }

  /** Goes to a control and presses Enter there. */
  async pressAt(what: string, words: RegExp, key = "Tab"): Promise<void> {
    await this.reach(words, key);
    await this.step(what, () => this.#desk.press("Return"));
  }

  /** Goes from stop to stop, each of which is heard by itself. */
  async tabThrough(what: string, count: number, key = "Tab"): Promise<void> {
    for (let stop = 1; stop <= count; stop += 1) await this.step(`${what}, ${key} ${stop}`, () => this.#desk.press(key));
  }

  /** Name of what has the focus, roughly. */
  #words(): Promise<string> {
    return this.#desk.page.evaluate(() => {
      const element = document.activeElement;
      const labelled = element?.getAttribute("aria-labelledby")?.split(" ") ?? [];
      const [label] = [...labelled.map((id) => document.getElementById(id)), element?.closest("label")].filter((found) => found != null);
      const own =
        element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels?.[0]?.textContent : undefined;
      return (element?.ariaLabel ?? own ?? label?.textContent ?? element?.textContent ?? "").trim();
    });
  }
}
