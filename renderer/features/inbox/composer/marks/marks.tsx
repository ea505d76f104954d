// Marks by mouse: a bar above what was selected with the pointer, and a menu at it. Both are loaded when they are first wanted.
import { type ReactElement, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { useContextMenu } from "#renderer/components/overlays/use-context-menu.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Field } from "../field-edits.ts";
import type { MarksProps } from "./mark-field.ts";

const MarkBar = lazyPart(async () => (await import("./mark-bar.tsx")).MarkBar);
const MarkMenu = lazyPart(async () => (await import("./mark-menu.tsx")).MarkMenu);

/** The bar, and the menu where something was selected before it was asked for: else the menu of the browser, which mends spelling, is left. */
export function Marks(props: MarksProps): ReactElement {
  const { field } = props;
  const pressedOn = useSelectionAtPress(field);
  const [isBarShown, setBarShown] = useSelectedByPointer(field);
  const menu = useContextMenu(field, () => {
    const { start, end } = rangeOf(field);
    const { current: before } = pressedOn;
    return start < end && (before === undefined || (before.start === start && before.end === end));
  });
  return (
    <Suspense fallback={null}>
      <WithAllWords>
        {isBarShown && menu?.isOpen !== true && <MarkBar {...props} onClose={(): void => setBarShown(false)} />}
        {menu !== undefined && <MarkMenu {...props} pointed={menu} />}
      </WithAllWords>
    </Suspense>
  );
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf({ current }: Field): Range {
  return { start: current?.selectionStart ?? 0, end: current?.selectionEnd ?? 0 };
}

/** What was selected when a button of the mouse went down: some systems select the word under it then. Undefined after a key. */
function useSelectionAtPress(field: Field): RefObject<Range | undefined> {
  const pressedOn = useRef<Range>(undefined);
  useEffect(() => {
    const element = field.current;
    const onPress = (): void => {
      pressedOn.current = rangeOf(field);
    };
    const onKey = (): void => {
      pressedOn.current = undefined;
    };
    element?.addEventListener("pointerdown", onPress);
    element?.addEventListener("keydown", onKey);
    return (): void => {
      element?.removeEventListener("pointerdown", onPress);
      element?.removeEventListener("keydown", onKey);
    };
  }, [field]);
  return pressedOn;
}

/** True once a press of the first button that began in the field has ended with something selected there. */
function useSelectedByPointer(field: Field): readonly [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const element = field.current;
    const onPress = (press: PointerEvent): void => {
      setShown(false);
      if (press.button !== 0) return;
      const end = new AbortController();
      const { signal } = end;
      const onRelease = (): void => {
        end.abort();
        // A press on what is selected ends the selection behind this event.
        requestAnimationFrame(() => {
          const { start, end } = rangeOf(field);
          setShown(start < end);
        });
      };
      window.addEventListener("pointerup", onRelease, { signal });
      // Scrolling by touch.
      window.addEventListener("pointercancel", () => end.abort(), { signal });
    };
    element?.addEventListener("pointerdown", onPress);
    return (): void => element?.removeEventListener("pointerdown", onPress);
  }, [field]);
  return [isShown, setShown];
}
