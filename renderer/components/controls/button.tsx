// The button. One primary button a view; `danger` only where something is lost.
import { Button as BaseButton } from "@base-ui/react/button";
import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode, Ref } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { Spinner } from "../basics/spinner.tsx";
import styles from "./button.module.css";

/** Weight of a button. */
export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";

/** How a button looks. */
export interface ButtonStyle {
  readonly variant?: ButtonVariant;
  readonly size?: "small" | "medium" | "large";
  readonly icon?: LucideIcon;
  /** Fills its container's width. */
  readonly wide?: boolean;
}

export interface ButtonProps extends ButtonStyle {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  readonly type?: "button" | "submit";
  /** Id of the form that a submit button outside of it belongs to. */
  readonly form?: string;
  readonly disabled?: boolean;
  /** Work is under way: the button keeps the focus and ignores presses. */
  readonly busy?: boolean;
  readonly autoFocus?: boolean;
  readonly ref?: Ref<HTMLElement>;
  /** For the button of a popup. */
  readonly "aria-haspopup"?: "dialog" | "menu";
  readonly "aria-expanded"?: boolean;
}

/** Class names of a button's style, for links that look like one. */
export function buttonClassName(style: ButtonStyle): string {
  const { variant = "secondary", size = "medium", wide = false } = style;
  return classNames(styles.button, styles[variant], size !== "medium" && styles[size], wide && styles.wide);
}

/**
 * A button. `disabled` ones stay reachable by keyboard, so that their reason can be read. A busy one is as wide as before: its spinner takes
 * the place of the icon, or of the words, which screen readers still read.
 */
export function Button(props: ButtonProps): ReactElement {
  const { children, onClick, type = "button", form, disabled = false, busy = false, autoFocus = false, icon: Icon, ref, ...rest } = props;
  const { "aria-haspopup": popup, "aria-expanded": isExpanded, ...style } = rest;
  return (
    <BaseButton
      ref={ref}
      type={type}
      form={form}
      className={buttonClassName(style)}
      disabled={disabled || busy}
      focusableWhenDisabled
      aria-busy={busy}
      aria-haspopup={popup}
      aria-expanded={isExpanded}
      autoFocus={autoFocus}
      onClick={onClick}
    >
      {Icon !== undefined && !busy && <Icon size={16} aria-hidden="true" />}
      {busy && (
        <span className={Icon === undefined ? styles.over : styles.icon}>
          <Spinner />
        </span>
      )}
      <span className={classNames(styles.words, busy && Icon === undefined && styles.covered)}>{children}</span>
    </BaseButton>
  );
}
