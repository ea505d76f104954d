// Buttons above selected text, one for each kind of marks. A press leaves the focus in the field, with the same words selected.
import { type ReactElement, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { positionOf } from "#renderer/components/controls/position-beside.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./mark-bar.module.css";
import { type MarksProps, markField, selectedIn } from "./mark-field.ts";
import { MARK_KINDS } from "./mark-kinds.ts";
import { isMarked, TEXT_MARKS } from "./mark-selection.ts";
import { selectionPlace } from "./selection-place.ts";

export interface MarkBarProps extends MarksProps {
  /** A key was pressed, nothing is selected any more, or the focus is elsewhere. */
  readonly onClose: () => void;
}

export function MarkBar({ field, put, onClose }: MarkBarProps): ReactElement {
  const t = useMessages();
  const bar = useRef<HTMLFieldSetElement>(null);
  const [, setMarked] = useState(0);
  const selected = selectedIn(field.current);
  usePlace(field, bar);
  useClose(field, bar, onClose);
  return (
    <fieldset ref={bar} className={styles.bar} aria-label={t("chat.formatting")}>
      {MARK_KINDS.map(({ kind, icon, label }) => (
        <IconButton
          key={kind}
          icon={icon}
          size="small"
          label={t(label)}
          shortcut={TEXT_MARKS[kind].keys}
          pressed={selected !== undefined && isMarked(selected, TEXT_MARKS[kind].sign)}
          onPointerDown={(event): void => event.preventDefault()}
          onMouseDown={(event): void => event.preventDefault()}
          onClick={(): void => {
            markField(field, kind, put);
            setMarked((count) => count + 1);
          }}
        />
      ))}
    </fieldset>
  );
}

/** Above the selection, also where the field scrolls or becomes higher, or the window another size. */
function usePlace(field: MarksProps["field"], bar: RefObject<HTMLElement | null>): void {
  const place = useEffectEvent(() => {
    if (bar.current !== null && field.current !== null) placeAbove(bar.current, selectionPlace(field.current));
  });
  useLayoutEffect(() => place());
  useEffect(() => {
    const element = field.current;
    const listener = (): void => place();
    const resizes = new ResizeObserver(listener);
    if (element !== null) resizes.observe(element);
    element?.addEventListener("scroll", listener);
    window.addEventListener("resize", listener);
    return (): void => {
      resizes.disconnect();
      element?.removeEventListener("scroll", listener);
      window.removeEventListener("resize", listener);
    };
  }, [field]);
}

/** The bar is fixed at the top left of the window. */
function placeAbove(bar: HTMLElement, place: DOMRect): void {
  const { left, top } = positionOf(bar.getBoundingClientRect(), place, { width: innerWidth, height: innerHeight }, "top");
  bar.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
}

/** Escape closes the bar alone; any other key, the end of the selection, and leaving field and bar do, too. */
function useClose(field: MarksProps["field"], bar: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const element = field.current;
    const onKey = (event: KeyboardEvent): void => {
      if (["Shift", "Control", "Meta", "Alt"].includes(event.key)) return;
      if (event.key === "Escape" && !event.isComposing) {
        event.preventDefault();
        event.stopPropagation();
      }
      close();
    };
    const onSelection = (): void => {
      const selected = selectedIn(element);
      if (selected === undefined || selected.start === selected.end) close();
    };
    const onLeave = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && bar.current?.contains(relatedTarget) === true) return;
      close();
    };
    element?.addEventListener("keydown", onKey);
    element?.addEventListener("blur", onLeave);
    document.addEventListener("selectionchange", onSelection);
    return (): void => {
      element?.removeEventListener("keydown", onKey);
      element?.removeEventListener("blur", onLeave);
      document.removeEventListener("selectionchange", onSelection);
    };
  }, [field, bar]);
}
