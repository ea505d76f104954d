// A view that could not load: what happened, what to do, and a way out.
import { CircleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
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
}

/** A failed view or pane. */
export function ErrorState(props: ErrorStateProps): ReactElement {
  const { error, onRetry, isRetrying = false, actions } = props;
  const t = useMessages();
  const words = errorInWords(t, error);
  return (
    <div className={styles.state} role="alert">
      <span className={classNames(styles.icon, styles.danger)}>
        <CircleAlert size={22} aria-hidden="true" />
      </span>
      <h2 className={styles.title}>{words.title}</h2>
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
