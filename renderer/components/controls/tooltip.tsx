// A hint at an element, on hover and on keyboard focus. Never the only source of information: touch does not see it.
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Kbd } from "../basics/kbd.tsx";
import { positionBeside, type Side } from "./position-beside.ts";
import styles from "./tooltip.module.css";

/** The pointer rests this long before a hint opens. */
const DELAY_MS = 450;
/** Time to move from the element onto its hint. */
const GRACE_MS = 80;

export interface TooltipProps {
  readonly label: ReactNode;
  readonly shortcut?: string;
  readonly side?: Side;
  /** The element that it belongs to; must take props. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Wraps one element. */
export function Tooltip(props: TooltipProps): ReactElement {
  const { children } = props;
  const [anchor, setAnchor] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (target: Element | undefined, delayMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(target), delayMs);
  };
  const close = (): void => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  };
  useEffect(() => (): void => clearTimeout(timer.current), []);
  const element = cloneElement(children, {
    onPointerEnter: both(children.props.onPointerEnter, (event: PointerEvent) => {
      if (event.pointerType === "mouse") later(event.currentTarget, DELAY_MS);
    }),
    onPointerLeave: both(children.props.onPointerLeave, () => later(undefined, GRACE_MS)),
    onPointerDown: both(children.props.onPointerDown, close),
    onFocus: both(children.props.onFocus, (event: FocusEvent) => {
      if (event.currentTarget.matches(":focus-visible")) later(event.currentTarget, 0);
    }),
    onBlur: both(children.props.onBlur, close),
  });
  return (
    <>
      {element}
      {anchor !== undefined && (
        <Hint
          {...props}
          anchor={anchor}
          onStay={(): void => clearTimeout(timer.current)}
          onLeave={(): void => later(undefined, GRACE_MS)}
          onClose={close}
        />
      )}
    </>
  );
}

interface HintProps extends TooltipProps {
  readonly anchor: Element;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

/** The hint beside its element. It may be pointed at; Escape, scrolling and a change of the window close it. */
function Hint(props: HintProps): ReactElement {
  const { label, shortcut, side = "top", anchor, onStay, onLeave, onClose } = props;
  const position = useCallback(
    (hint: HTMLDivElement | null) => {
      if (hint !== null) positionBeside(hint, anchor, side);
    },
    [anchor, side],
  );
  useEffect(() => {
    const ended = new AbortController();
    const options = { signal: ended.signal, capture: true };
    addEventListener("keydown", (event) => event.key === "Escape" && onClose(), options);
    addEventListener("scroll", onClose, options);
    addEventListener("resize", onClose, options);
    return (): void => ended.abort();
  });
  return createPortal(
    <div ref={position} aria-hidden="true" className={styles.tooltip} onPointerEnter={onStay} onPointerLeave={onLeave}>
      {label}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </div>,
    document.body,
  );
}

/** Calls a handler that the element has already, then one's own. */
function both<E>(own: unknown, added: (event: E) => void): (event: E) => void {
  return (event) => {
    if (typeof own === "function") own(event);
    added(event);
  };
}
