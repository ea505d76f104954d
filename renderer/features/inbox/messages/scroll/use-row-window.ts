// The rows of a chat that are in the document, for React.
import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type Place, type RowLayout, RowWindow, type RowWindowEvents } from "./row-window.ts";
import { ScrollRest } from "./scroll-rest.ts";

export interface RowWindowOptions {
  readonly scroller: { readonly current: HTMLElement | null };
  /** Another list for other rows. */
  readonly keys: readonly string[];
  /** Pixels of a row before it was measured. */
  readonly estimate: (index: number) => number;
  /** A row was measured: others like it may be as high. */
  readonly learn: (index: number, height: number) => void;
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
}

/** Rows that keep their place. */
export function useRowWindow(options: RowWindowOptions): ShownRows {
  const { scroller, keys, estimate, isWhole } = options;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const onAtEnd = useEffectEvent((isAtEnd: boolean) => options.onAtEnd(isAtEnd));
  const learned = useEffectEvent((index: number, height: number) => options.learn(index, height));
  const listener = useRef<Pick<RowWindowEvents, "onAtEnd" | "onMeasured">>(undefined);
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
        onAtEnd: (isAtEnd) => listener.current?.onAtEnd(isAtEnd),
        onMeasured: (index, height) => listener.current?.onMeasured(index, height),
      }),
  );
  const layout = rowWindow.layout(keys, estimate, isWhole);
  useLayoutEffect(() => {
    listener.current = {
      onAtEnd: (isAtEnd): void => onAtEnd(isAtEnd),
      onMeasured: (index, height): void => learned(index, height),
    };
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
  useEffect(() => rest.whenAtRest(() => rowWindow.settle()), [rest, rowWindow]);
  return { ...layout, rowWindow, rest };
}
