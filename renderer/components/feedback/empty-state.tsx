// Nothing here yet: says why and what to do.
import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import styles from "./empty-state.module.css";

/** Props of {@link EmptyState}. */
export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** There is nothing else in the view: the title is that of the page. */
  readonly isPage?: boolean;
}

/** An empty view or pane. */
export function EmptyState(props: EmptyStateProps): ReactElement {
  const { icon: Icon, title, text, actions, isPage = false } = props;
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon size={22} aria-hidden="true" />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
