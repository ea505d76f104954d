// A button of one icon. Its label is the tooltip and what a screen reader says.
import { Button as BaseButton } from "@base-ui/react/button";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactElement } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./icon-button.module.css";
import { Tooltip } from "./tooltip.tsx";

/** Props of {@link IconButton}; whatever a popup's trigger adds is passed on. */
export interface IconButtonProps extends Omit<ComponentProps<typeof BaseButton>, "className" | "children"> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly size?: "small" | "medium";
  /** Shortcut shown in the tooltip, e.g. `mod+k`. */
  readonly shortcut?: string;
  /** For toggles. */
  readonly pressed?: boolean;
  /** Only where the icon is unmistakable, such as the cross of a dialog. */
  readonly hideTooltip?: boolean;
  readonly tooltipSide?: "top" | "right" | "bottom" | "left";
}

/** An icon with a name. */
export function IconButton(props: IconButtonProps): ReactElement {
  const { icon: Icon, label, size = "medium", shortcut, pressed, tooltipSide, hideTooltip = false, ...rest } = props;
  const button = (
    <BaseButton
      focusableWhenDisabled
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={classNames(styles.button, size === "small" && styles.small)}
    >
      <Icon size={size === "small" ? 15 : 18} aria-hidden="true" />
    </BaseButton>
  );
  if (hideTooltip) return button;
  return (
    <Tooltip label={label} {...(shortcut !== undefined && { shortcut })} {...(tooltipSide !== undefined && { side: tooltipSide })}>
      {button}
    </Tooltip>
  );
}
