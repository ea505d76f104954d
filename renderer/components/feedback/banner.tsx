// A lasting note in the flow of a view, or across the top of the shell.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import styles from "./banner.module.css";
import { NoticePlace } from "./notice-place.tsx";

const ICONS = { neutral: Info, accent: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;

export interface BannerProps {
  readonly tone?: keyof typeof ICONS;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Is there whenever its view is: no news to announce. */
  readonly isLasting?: boolean;
  /** Across the full width, on one line. */
  readonly flush?: boolean;
}

/** A note. Danger is announced at once, the others politely. */
export function Banner(props: BannerProps): ReactElement {
  const { tone = "neutral", title, children, actions, isLasting = false, flush = false } = props;
  const Icon = ICONS[tone];
  const banner = (
    <div
      className={classNames(styles.banner, styles[tone], flush ? styles.flush : styles.stacked)}
      role={isLasting ? "note" : tone === "danger" ? "alert" : "status"}
    >
      <span className={styles.icon}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div className={styles.text}>
        {title !== undefined && <span className={styles.title}>{flush && children !== undefined ? sentence(title) : title}</span>}
        {children !== undefined && <span className={styles.body}>{children}</span>}
      </div>
      {actions !== undefined && <div className={shared.row2}>{actions}</div>}
    </div>
  );
  return flush ? <NoticePlace>{banner}</NoticePlace> : banner;
}

/** On one line with the text that follows, a title ends as a sentence does. */
function sentence(title: string): string {
  return /[.!?…]$/.test(title) ? title : `${title}.`;
}
