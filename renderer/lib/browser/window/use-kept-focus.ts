// Keeps the focus where a person works, in a part of the page whose content gives way to other content: a form that became what it made.
import { type FocusEvent, type RefObject, useEffect, useRef } from "react";

/** To be spread into the part. */
export interface KeptFocus {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** It takes the focus itself where nothing in it can. */
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** When `shown` changes and what had the focus is gone, the first control of what is there now has it. */
export function useKeptFocus(shown: unknown): KeptFocus {
  const ref = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    const { activeElement } = document;
    if (!isInside.current || (activeElement !== null && activeElement !== document.body)) return;
    (ref.current?.querySelector<HTMLElement>("button, input, a[href]") ?? ref.current)?.focus();
  }, [shown]);
  return {
    ref,
    tabIndex: -1,
    // From dialogs of the part too.
    onFocus: (): void => {
      isInside.current = true;
    },
    // What is taken off the page has no successor.
    onBlur: ({ relatedTarget }): void => {
      if (relatedTarget !== null) isInside.current = false;
    },
  };
}
