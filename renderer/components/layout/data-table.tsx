// A data table: real table markup, scrolling sideways by itself where there is little room.
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./data-table.module.css";

/** Order of a column. */
export type SortDirection = "ascending" | "descending";

/** One column. `end` sets numbers to the right; `start` keeps texts of the last column, whose cells say `data-start`, from going there. */
export interface DataColumn {
  readonly title: string;
  readonly end?: boolean;
  readonly start?: boolean;
  /** Rows can be sorted by it: its order now, if it has one, and what a press on its title does. */
  readonly sort?: { readonly direction: SortDirection | undefined; readonly onPress: () => void };
}

export interface DataTableProps {
  readonly label: string;
  readonly columns: readonly DataColumn[];
  /** `cells` are the row's `<td>`s, one a column. A `<Pending>` in one of them keeps the table back: what comes may widen its columns. */
  readonly rows: readonly { readonly key: string; readonly cells: ReactNode }[];
  /** Smaller rows. */
  readonly dense?: boolean;
}

export function DataTable({ label, columns, rows, dense = false }: DataTableProps): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this groups a table, and is no landmark beside its section
    <div role="group" className={styles.scroll} tabIndex={0} aria-label={label} data-at-once="">
      <table className={classNames(styles.table, dense && styles.dense)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>{cells}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ColumnHead({ column }: { readonly column: DataColumn }): ReactElement {
  const { title, end = false, start = false, sort } = column;
  const Arrow = sort?.direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={classNames(end && styles.end)}
      aria-sort={sort === undefined ? undefined : (sort.direction ?? "none")}
      {...(start && { "data-start": "" })}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" className={styles.sort} onClick={sort.onPress}>
          {title}
          <Arrow size={12} aria-hidden="true" className={classNames(sort.direction === undefined && styles.unsorted)} />
        </button>
      )}
    </th>
  );
}
