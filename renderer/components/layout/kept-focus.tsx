// A part of a view whose buttons replace each other: what was pressed goes, and the focus would fall to the page.
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import styles from "./kept-focus.module.css";

/** Where the focus was in it and went with its element, it goes to the first button that is there now, else to one beside it. */
export function KeptFocus({ children }: { readonly children: ReactNode }): ReactElement {
  const part = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  // With each picture: React reports no blur of what it removes.
  useEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return;
    const button = part.current?.querySelector("button") ?? part.current?.parentElement?.querySelector("button");
    button?.focus({ preventScroll: true });
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it looks after the focus of the controls inside
    <div
      ref={part}
      className={styles.part}
      onFocus={(): void => {
        hadFocus.current = true;
      }}
      onBlur={(): void => {
        hadFocus.current = false;
      }}
    >
      {children}
    </div>
  );
}
