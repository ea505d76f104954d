// The card of a popover; loaded when one is first opened.
import { Popover as BasePopover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { VisuallyHidden } from "../basics/visually-hidden.tsx";
import styles from "./popup.module.css";
import type { PopupTrigger } from "./use-popup-trigger.ts";
import { noteOpener } from "./use-return-focus.ts";

export interface PopoverProps {
  readonly trigger: ReactElement;
  /** Name of the card for screen readers. */
  readonly title: string;
  /** What is in it, or how it is made of the way to close it. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly align?: "start" | "center" | "end";
}

export interface PopoverCardProps extends Omit<PopoverProps, "trigger">, Omit<PopupTrigger, "element" | "isNeeded"> {}

/** The card at its anchor. */
export function PopoverCard(props: PopoverCardProps): ReactElement {
  const { title, children, side = "bottom", align = "start", anchor, isOpen, onOpenChange, finalFocus } = props;
  const take = (element: HTMLDivElement | null): void => {
    props.popup.current = element;
    if (element !== null && "current" in anchor && anchor.current !== null) noteOpener(element, anchor.current);
  };
  return (
    <BasePopover.Root open={isOpen} onOpenChange={onOpenChange}>
      <BasePopover.Portal>
        <BasePopover.Positioner className={styles.positioner} anchor={anchor} side={side} align={align} sideOffset={6} collisionPadding={8}>
          <BasePopover.Popup className={classNames(styles.popup, styles.card)} ref={take} finalFocus={finalFocus}>
            <BasePopover.Title render={<div />}>
              <VisuallyHidden>{title}</VisuallyHidden>
            </BasePopover.Title>
            {typeof children === "function" ? children(props.close) : children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
