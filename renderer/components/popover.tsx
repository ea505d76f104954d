// A small card at a button, for details and short forms.
import { Popover as BasePopover } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import popup from "./popup.module.css";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** Props of {@link Popover}. */
export interface PopoverProps {
  readonly trigger: ReactElement;
  /** Name of the card for screen readers. */
  readonly title: string;
  readonly children: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly align?: "start" | "center" | "end";
}

/** A popover with its trigger. */
export function Popover(props: PopoverProps): ReactElement {
  const { trigger, title, children, side = "bottom", align = "start" } = props;
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner className={popup.positioner} side={side} align={align} sideOffset={6} collisionPadding={8}>
          <BasePopover.Popup className={classNames(popup.popup, popup.card)}>
            <BasePopover.Title render={<div />}>
              <VisuallyHidden>{title}</VisuallyHidden>
            </BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
