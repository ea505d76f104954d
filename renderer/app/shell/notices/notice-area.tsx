// The rows above the view, and what floats over it until another view is shown. A row that goes by itself leaves its room until then.
import { useRouterState } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { NoticePlacesContext } from "#renderer/components/feedback/notice-place.tsx";
import styles from "./notice-area.module.css";

/** Holds all notices. */
export function NoticeArea({ children }: { readonly children: ReactNode }): ReactElement {
  const view = useRouterState({ select: ({ matches }) => sectionOf(matches.at(-1)?.pathname ?? "") });
  const [drawn, setDrawn] = useState<string>();
  const [rows, setRows] = useState<HTMLElement | null>(null);
  const [floating, setFloating] = useState<HTMLElement | null>(null);
  const isComing = drawn !== view;
  useLayoutEffect(() => {
    if (!isComing) return undefined;
    for (const left of rows?.parentElement?.querySelectorAll(":scope > * > [data-left]") ?? []) left.remove();
    const frame = requestAnimationFrame(() => setDrawn(view));
    return (): void => cancelAnimationFrame(frame);
  }, [isComing, rows, view]);
  useRoom(floating);
  const places = useMemo(() => ({ isComing, rows, floating }), [isComing, rows, floating]);
  return (
    <>
      <div ref={setRows} className={styles.rows} />
      <div ref={setFloating} className={styles.floating} data-floating />
      <NoticePlacesContext value={places}>{children}</NoticePlacesContext>
    </>
  );
}

/** A view and what is opened in it: a list that stays beside what it opens is not moved by that. */
function sectionOf(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

/** Lets what scrolls in the view be scrolled clear of what floats over it: the height of that is `--notice-room` for the shell. */
function useRoom(floating: HTMLElement | null): void {
  useEffect(() => {
    const shell = floating?.parentElement;
    if (floating === null || shell == null) return undefined;
    const observer = new ResizeObserver(() => {
      const height = floating.offsetHeight;
      if (height === 0) shell.style.removeProperty("--notice-room");
      else shell.style.setProperty("--notice-room", `calc(${height}px + var(--space-1))`);
    });
    observer.observe(floating);
    return (): void => observer.disconnect();
  }, [floating]);
}
