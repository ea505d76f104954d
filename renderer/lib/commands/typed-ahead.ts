// Buffers what is typed between opening a field and the moment when it can take it: its code may still be loading.

/** What was typed. */
export interface TypedText {
  readonly text: string;
  /** Enter was pressed behind the text; what came after it is dropped. */
  readonly isEntered: boolean;
}

export const NOTHING_TYPED: TypedText = { text: "", isEntered: false };

export interface TypedAhead {
  /** Ends the buffering and returns the text. */
  take(): TypedText;
}

/** Where key events come from. */
export type KeySource = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** Receives every key before any other listener, until the text is taken. `onEscape` is called when the person changes their mind. */
export function bufferTyping(source: KeySource, onEscape: () => void): TypedAhead {
  let typed = NOTHING_TYPED;
  const stop = (): void => source.removeEventListener("keydown", listener, { capture: true });
  const listener = (given: Event): void => {
    const event = given as KeyboardEvent;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = typedAfter(typed, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    typed = next;
    if (event.key !== "Escape") return;
    stop();
    onEscape();
  };
  source.addEventListener("keydown", listener, { capture: true });
  return {
    take: (): TypedText => {
      stop();
      return typed;
    },
  };
}

/** What was typed after a key; undefined for keys that neither write nor command here, such as Shift. */
function typedAfter(typed: TypedText, key: string): TypedText | undefined {
  if (key === "Escape") return NOTHING_TYPED;
  const isWriting = [...key].length === 1 || ["Backspace", "Enter", "Tab"].includes(key);
  if (!isWriting) return undefined;
  if (typed.isEntered || key === "Tab") return typed;
  if (key === "Enter") return { ...typed, isEntered: true };
  return { ...typed, text: key === "Backspace" ? [...typed.text].slice(0, -1).join("") : typed.text + key };
}
