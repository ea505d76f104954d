// A hint at an element, on hover and on keyboard focus. Never the only place of a fact: touch does not see it.
import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./kbd.tsx";
import styles from "./tooltip.module.css";

/** Props of {@link Tooltip}. */
export interface TooltipProps {
  readonly label: ReactNode;
  readonly shortcut?: string;
  readonly side?: "top" | "right" | "bottom" | "left";
  /** The element that it belongs to; must take a ref and props. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Wraps one element. */
export function Tooltip(props: TooltipProps): ReactElement {
  const { label, shortcut, side = "top", children } = props;
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner className={styles.positioner} side={side} sideOffset={6} collisionPadding={8}>
          <BaseTooltip.Popup className={styles.tooltip}>
            {label}
            {shortcut !== undefined && <Kbd keys={shortcut} />}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
