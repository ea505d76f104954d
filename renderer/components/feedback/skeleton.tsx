// Grey shapes where content will be. Nothing is seen for the first 300 ms, so that quick responses do not flicker.
import { type ReactElement, useRef } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useHoldingBack } from "#renderer/lib/browser/window/use-holding-back.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { VisuallyHidden } from "../basics/visually-hidden.tsx";
import styles from "./skeleton.module.css";

/** Props of {@link Skeleton}, CSS lengths. */
export interface SkeletonProps {
  readonly width?: string;
  readonly height?: string;
}

/** One shape. */
export function Skeleton(props: SkeletonProps): ReactElement {
  const { width = "100%", height = "0.875rem" } = props;
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" data-skeleton="" />;
}

/** Rows of a list that loads; says so to screen readers. */
export function SkeletonRows(props: { readonly count?: number }): ReactElement {
  const t = useMessages();
  const part = useRef<HTMLDivElement>(null);
  useHoldingBack(part);
  const rows = Array.from({ length: props.count ?? 5 }, (_, index) => index);
  return (
    <div ref={part} className={styles.rows} role="status" data-loading="">
      <VisuallyHidden>{t("common.loading")}</VisuallyHidden>
      {rows.map((row) => (
        <div key={row} className={shared.row3}>
          <Skeleton width="2.25rem" height="2.25rem" />
          <div className={styles.lines}>
            <Skeleton width={`${55 - (row % 3) * 12}%`} />
            <Skeleton width={`${80 - (row % 4) * 9}%`} height="0.75rem" />
          </div>
        </div>
      ))}
    </div>
  );
}
