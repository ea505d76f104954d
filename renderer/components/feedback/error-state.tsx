// A view that could not load: what happened, what to do, and a way out.
import { CircleAlert } from "lucide-react";
import { type ReactElement, type ReactNode, useCallback } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import styles from "./empty-state.module.css";

export interface ErrorStateProps {
  readonly error: unknown;
  /** Offered where another try makes sense. */
  readonly onRetry?: () => void;
  readonly isRetrying?: boolean;
  /** Other ways out. */
  readonly actions?: ReactNode;
  /** There is nothing else in the view: the title is that of the page. */
  readonly isPage?: boolean;
}

/** A failed view or pane. */
export function ErrorState(props: ErrorStateProps): ReactElement {
  const { error, onRetry, isRetrying = false, actions, isPage = false } = props;
  const t = useMessages();
  const words = errorInWords(t, error);
  const keepFocus = useCallback((element: HTMLElement | null) => (): void => leaveFocusIn(element), []);
  const Heading = isPage ? "h1" : "h2";
  return (
    <div ref={keepFocus} className={styles.state} role="alert">
      <span className={classNames(styles.icon, styles.danger)}>
        <CircleAlert size={22} aria-hidden="true" />
      </span>
      <Heading className={styles.title}>{words.title}</Heading>
      <p className={styles.text}>{words.text}</p>
      {(onRetry !== undefined || actions !== undefined) && (
        <div className={styles.actions}>
          {onRetry !== undefined && words.canRetry && (
            <Button onClick={onRetry} busy={isRetrying}>
              {t("common.retry")}
            </Button>
          )}
          {actions}
        </div>
      )}
    </div>
  );
}

/** What comes in its place has no button to take the focus from the one that was pressed: that goes to the window or the view around it. */
function leaveFocusIn(state: HTMLElement | null): void {
  if (state?.contains(document.activeElement) !== true) return;
  state.closest<HTMLElement>("[role=dialog], main")?.focus({ preventScroll: true });
}
