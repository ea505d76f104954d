// The top of a pane: its name and what one can do in it. The name of a main pane also becomes the window's title.
import type { ReactElement, ReactNode } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./page-header.module.css";

export interface PageHeaderProps {
  readonly title: string;
  /** Makes the title a button that does this, and says what. */
  readonly titleAction?: { readonly label: string; readonly onSelect: () => void } | undefined;
  /** Small signs beside the title, each with a name. */
  readonly marks?: ReactNode;
  readonly subtitle?: ReactNode;
  /** Before the title: an avatar, or the way back. */
  readonly leading?: ReactNode;
  readonly actions?: ReactNode;
  /** `pane` is for list panes: it leaves the window's title alone. Where there is room for one pane, either must be the page's heading. */
  readonly level?: "page" | "pane";
}

/** Header of a page or pane. */
export function PageHeader(props: PageHeaderProps): ReactElement {
  const { title, titleAction, marks, subtitle, leading, actions, level = "page" } = props;
  const t = useMessages();
  return (
    <header className={styles.header}>
      {level === "page" && <title>{`${title} · ${t("common.appName")}`}</title>}
      {leading}
      <div className={styles.headings}>
        <div className={styles.titleRow}>
          <h1 className={styles.title}>
            {titleAction === undefined ? (
              title
            ) : (
              <button type="button" className={styles.titleButton} title={titleAction.label} onClick={titleAction.onSelect}>
                {title}
              </button>
            )}
          </h1>
          {marks}
        </div>
        {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
