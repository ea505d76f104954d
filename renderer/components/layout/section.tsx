// A titled part of a page, its content on a card.
import { type ReactElement, type ReactNode, useId } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./section.module.css";

export interface SectionProps {
  readonly title: string;
  /** The page says it already: the title is for screen readers only. */
  readonly hideTitle?: boolean;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without the card around the content: for lists and grids that bring their own. */
  readonly bare?: boolean;
}

export function Section(props: SectionProps): ReactElement {
  const { title, hideTitle = false, hint, actions, children, bare = false } = props;
  const id = useId();
  return (
    <section className={shared.stack3} aria-labelledby={id}>
      <div className={classNames(styles.head, hideTitle && hint === undefined && actions === undefined && styles.hidden)}>
        <div className={styles.headings}>
          <h2 id={id} className={classNames(styles.title, hideTitle && styles.hidden)}>
            {title}
          </h2>
          {hint !== undefined && <p className={shared.hint}>{hint}</p>}
        </div>
        {actions}
      </div>
      {bare ? (
        children
      ) : (
        <div className={styles.card} data-in-order="">
          {children}
        </div>
      )}
    </section>
  );
}
