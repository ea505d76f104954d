// Buffers what is typed between opening a field and the moment when it can take it: its code may still be loading.

export interface TypedAhead {
  /** Ends the buffering and returns the text. */
  take(): string;
}

/** Where key events come from. */
export type KeySource = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** Receives every key before any other listener, until the text is taken. `onEscape` is called when the person changes their mind. */
export function bufferTyping(source: KeySource, onEscape: () => void): TypedAhead {
  let text = "";
  const stop = (): void => source.removeEventListener("keydown", listener, { capture: true });
  const listener = (given: Event): void => {
    const event = given as KeyboardEvent;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = textAfter(text, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    text = next;
    if (event.key !== "Escape") return;
    stop();
    onEscape();
  };
  source.addEventListener("keydown", listener, { capture: true });
  return {
    take: (): string => {
      stop();
      return text;
    },
  };
}

/** The text after a key; undefined for keys that neither write nor command here, such as Shift. */
function textAfter(text: string, key: string): string | undefined {
  const letters = [...key];
  if (letters.length === 1) return text + key;
  if (key === "Backspace") return [...text].slice(0, -1).join("");
  if (key === "Escape") return "";
  return key === "Enter" || key === "Tab" ? text : undefined;
}
