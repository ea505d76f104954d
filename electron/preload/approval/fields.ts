// Fields of the approval window: each with its label, read when a button is pressed.
import { element, group } from "../window/elements.ts";

/** A field and what stands in it. */
export interface Field<T> {
  readonly view: HTMLElement;
  value(): T;
}

/** A box that is ticked or not. */
export function tick(label: string, isTicked: boolean): Field<boolean> & { readonly box: HTMLInputElement } {
  const box = element("input");
  box.type = "checkbox";
  box.checked = isTicked;
  return { box, view: group("label", "tick", box, element("span", label)), value: () => box.checked };
}

/** A line of text. */
export function line(label: string, value: string, kind: "text" | "password" | "number" | "code" = "text"): Field<string> {
  const input = element("input", "", kind);
  input.type = kind === "password" ? "password" : "text";
  if (kind === "number") input.inputMode = "decimal";
  if (kind === "code") {
    input.inputMode = "numeric";
    input.maxLength = 9;
  }
  input.autocomplete = "off";
  input.spellcheck = false;
  input.value = value;
  return { view: group("label", "line", element("span", label), input), value: () => input.value.trim() };
}

/** Some of several, by what stands for each. */
export function several(
  label: string,
  choices: readonly { readonly id: string; readonly text: string }[],
  areTicked: boolean,
): Field<readonly string[]> {
  const boxes = choices.map(({ id, text }) => ({ id, field: tick(text, areTicked) }));
  const view = group("fieldset", "several", element("legend", label), ...boxes.map(({ field }) => field.view));
  return { view, value: () => boxes.filter(({ field }) => field.value()).map(({ id }) => id) };
}
