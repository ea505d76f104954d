// A row of a list: picture, two lines, something at the end. As a link, a button or plain.
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactElement, ReactNode, Ref } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./list-row.module.css";

/** What a row shows. */
export interface ListRowContent {
  readonly leading?: ReactNode;
  readonly heading: ReactNode;
  /** The heading has as many lines as it needs: its end may be that of an address, which says who it is. */
  readonly isWhole?: boolean;
  /** At the end of the first line, small: a time. */
  readonly meta?: ReactNode;
  readonly subtitle?: ReactNode;
  /** At the end of the second line where the first one has a meta, else of the row: a badge or an amount. */
  readonly trailing?: ReactNode;
  /** One line where distances are compact; its face has the size of {@link useRowSize}. */
  readonly isSlim?: boolean;
}

export interface ListRowProps extends ListRowContent {
  /** Makes the row a button. */
  readonly onClick?: () => void;
  /** Makes the button one that is switched on and off. */
  readonly selected?: boolean;
  /** Says of the button whether the rows that it opens are there. */
  readonly expanded?: boolean;
}

/** A plain row, or a button. */
export function ListRow(props: ListRowProps): ReactElement {
  const { onClick, selected, expanded, ...content } = props;
  if (onClick === undefined) {
    return (
      <div className={styles.row} data-selected={selected === true}>
        <RowContent {...content} />
      </div>
    );
  }
  return (
    <button
      type="button"
      className={styles.row}
      data-selected={selected === true}
      aria-pressed={selected}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <RowContent {...content} />
    </button>
  );
}

interface RowAnchorProps extends ListRowContent, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "className" | "children"> {
  readonly ref?: Ref<HTMLAnchorElement>;
}

function RowAnchor(props: RowAnchorProps): ReactElement {
  const { leading, heading, isWhole, meta, subtitle, trailing, isSlim, ref, ...anchor } = props;
  return (
    <a ref={ref} {...anchor} className={classNames(styles.row, isSlim && styles.slim)}>
      <RowContent leading={leading} heading={heading} isWhole={isWhole === true} meta={meta} subtitle={subtitle} trailing={trailing} />
    </a>
  );
}

/** A row that leads to a route and shows itself selected there: `<ListRowLink to="/inbox/$peer" params={…} heading=… />`. */
export const ListRowLink = createLink(RowAnchor);

function RowContent(props: ListRowContent): ReactElement {
  const { leading, heading, isWhole = false, meta, subtitle, trailing } = props;
  const hasSubtitle = subtitle !== undefined && subtitle !== null;
  const end = trailing !== undefined && trailing !== null && <span className={styles.trailing}>{trailing}</span>;
  const isBesideMeta = hasSubtitle && meta !== undefined;
  return (
    <>
      {leading}
      <span className={classNames(shared.grow, styles.words)}>
        <span className={styles.line}>
          <span className={classNames(styles.title, isWhole && styles.whole)}>{heading}</span>
          {meta !== undefined && <span className={styles.meta}>{meta}</span>}
        </span>
        {hasSubtitle && (
          <span className={styles.line}>
            <span className={styles.subtitle}>{subtitle}</span>
            {isBesideMeta && end}
          </span>
        )}
      </span>
      {!isBesideMeta && end}
    </>
  );
}
