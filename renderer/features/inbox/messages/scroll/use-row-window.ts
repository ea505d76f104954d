// The rows of a chat that are in the document, for React.
import { useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type Place, type RowLayout, RowWindow } from "./row-window.ts";
import { ScrollRest } from "./scroll-rest.ts";

export interface RowWindowOptions {
  readonly scroller: { readonly current: HTMLElement | null };
  /** Another list for other rows. */
  readonly keys: readonly string[];
  /** Pixels of a row before it was measured. */
  readonly estimate: (index: number) => number;
  /** True when the last row is the newest one. */
  readonly isWhole: boolean;
  /** Where it begins. */
  readonly start: () => Place;
  readonly onAtEnd: (isAtEnd: boolean) => void;
}

/** What of the rows is to be drawn, and the window itself. */
export interface ShownRows extends RowLayout {
  readonly rowWindow: RowWindow;
  readonly rest: ScrollRest;
  /** Pixels of the rows before and after those in the document. */
  readonly before: number;
  readonly after: number;
}

/** Rows that keep their place. */
export function useRowWindow(options: RowWindowOptions): ShownRows {
  const { scroller, keys, estimate, isWhole } = options;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const onAtEnd = useEffectEvent((isAtEnd: boolean) => options.onAtEnd(isAtEnd));
  const listener = useRef<(isAtEnd: boolean) => void>(undefined);
  const [rest] = useState(() => new ScrollRest());
  const [rowWindow] = useState(
    () =>
      new RowWindow(options.start(), {
        onRange: (isNow): void => {
          rest.move();
          // In the frame of the scrolling, so that no gap is seen.
          if (isNow) flushSync(draw);
          else draw();
        },
        onAtEnd: (isAtEnd) => listener.current?.(isAtEnd),
      }),
  );
  const layout = rowWindow.layout(keys, estimate, isWhole);
  useLayoutEffect(() => {
    listener.current = (isAtEnd): void => onAtEnd(isAtEnd);
  }, []);
  useLayoutEffect(() => rowWindow.commit(layout, estimate));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const content = element.querySelector("ol");
    const end = rowWindow.attach(element, content);
    rowWindow.measure([...(content?.children ?? [])]);
    return end;
  }, [rowWindow, scroller]);
  const { positions, range } = layout;
  return {
    ...layout,
    rowWindow,
    rest,
    before: positions.startOf(range.first),
    after: positions.total - positions.startOf(range.end),
  };
}
