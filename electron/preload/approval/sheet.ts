// What is shown at a time: a question with its buttons. Buttons sleep until the window had the person's attention.
import { visibleText } from "#shared/text/visible-text.ts";
import { element, group } from "../window/elements.ts";

/** A question. */
export interface Sheet {
  readonly title: string;
  readonly parts: readonly HTMLElement[];
  /** In their order; the first is the harmless one and gets the focus unless `focus` is given. */
  readonly buttons: readonly HTMLButtonElement[];
  readonly focus?: HTMLElement;
}

/** A label and its values, a line each; several times. What others wrote shows every character, and makes no line of its own. */
export function rows(...entries: readonly (readonly [label: string, ...values: readonly string[]])[]): HTMLElement {
  const lines = (values: readonly string[]): readonly HTMLElement[] => values.map((value) => element("div", visibleText(value)));
  return group("dl", "", ...entries.flatMap(([label, ...values]) => [element("dt", label), group("dd", "", ...lines(values))]));
}

/** Shows sheets, wakes their buttons and says what went wrong. */
export class SheetView {
  readonly #alert = element("p", "", "alert");
  #buttons: readonly HTMLButtonElement[] = [];
  #isAwake = false;
  #isBusy = false;

  show({ title, parts, buttons, focus }: Sheet): void {
    document.title = `Parley – ${title}`;
    this.#buttons = buttons;
    this.#isBusy = false;
    this.#alert.textContent = "";
    this.#alert.setAttribute("role", "alert");
    this.#update();
    document.body.replaceChildren(
      group("main", "", element("p", "Parley", "source"), element("h1", title), ...parts, this.#alert, group("footer", "", ...buttons)),
    );
    (focus ?? buttons[0])?.focus();
  }

  /** Whether buttons can be pressed. */
  wake(isAwake: boolean): void {
    this.#isAwake = isAwake;
    this.#update();
  }

  /** Something is under way: no button can be pressed. */
  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#update();
  }

  complain(text: string): void {
    this.#alert.textContent = text;
    this.#alert.scrollIntoView({ block: "nearest" });
  }

  #update(): void {
    const canPress = this.#isAwake && !this.#isBusy;
    for (const one of this.#buttons) one.disabled = !canPress;
    // A sleeping button takes no focus.
    if (canPress && document.activeElement === document.body) this.#buttons[0]?.focus();
  }
}
