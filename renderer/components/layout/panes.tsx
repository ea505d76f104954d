// Layouts of a view: list and detail side by side (one at a time where it is narrow), or one scrolling page.
import { ArrowLeft } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import styles from "./panes.module.css";

export interface PanesProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Right of the detail where there is room. */
  readonly inspector?: ReactNode;
  /** Which one is shown where there is room for one: the detail when something is selected. */
  readonly shows: "list" | "detail";
}

/** List and detail. */
export function Panes(props: PanesProps): ReactElement {
  const { list, detail, inspector, shows } = props;
  const hasInspector = inspector !== undefined;
  return (
    <div
      className={classNames(styles.panes, hasInspector && styles.withInspector, shows === "detail" ? styles.showDetail : styles.showList)}
    >
      <section className={styles.list}>{list}</section>
      <section className={styles.detail}>{detail}</section>
      {hasInspector && <aside className={styles.inspector}>{inspector}</aside>}
    </div>
  );
}

/** What a pane shows in place of a list: in a low window it is scrolled, also clear of what floats over it. */
export function EmptyPane(props: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.empty}>{props.children}</div>;
}

/** The way back from the detail to the list; shown only where one pane is. For `PageHeader`'s `leading`. */
export function BackToList(props: { readonly onBack: () => void }): ReactElement {
  const t = useMessages();
  return (
    <span className={styles.backOnly}>
      <IconButton icon={ArrowLeft} label={t("common.back")} onClick={props.onBack} />
    </span>
  );
}

/** One page: header above, scrolling column below. */
export function Page(props: { readonly header: ReactNode; readonly wide?: boolean; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.page}>
      {props.header}
      <PageScroll {...(props.wide && { wide: true })}>{props.children}</PageScroll>
    </div>
  );
}

/** A scrolling column of readable width, for pages and detail panes. */
export function PageScroll(props: { readonly wide?: boolean; readonly children: ReactNode }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0}>
      <div className={classNames(styles.column, props.wide && styles.wideColumn)} data-in-order="">
        {props.children}
      </div>
    </div>
  );
}
