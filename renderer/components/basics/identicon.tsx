// The picture of a key.
import { type ReactElement, useMemo } from "react";
import { IDENTICON_SIZE, identiconPattern } from "#shared/text/identicon.ts";
import styles from "./identicon.module.css";

const MARGIN = 1;
const BOX = IDENTICON_SIZE + 2 * MARGIN;

export interface IdenticonProps {
  /** Hex key. */
  readonly publicKey: string;
  /** Pixels. */
  readonly size?: number;
}

/** Decorative: a name or address is beside it. */
export function Identicon(props: IdenticonProps): ReactElement {
  const { publicKey, size = 20 } = props;
  const pattern = useMemo(() => identiconPattern(publicKey), [publicKey]);
  return (
    <svg
      className={styles.identicon}
      width={size}
      height={size}
      viewBox={`0 0 ${BOX} ${BOX}`}
      aria-hidden="true"
      shapeRendering="crispEdges"
    >
      <rect width={BOX} height={BOX} fill={pattern.background} />
      {pattern.cells.map((cell) => (
        <rect
          key={`${cell.x}-${cell.y}`}
          x={cell.x + MARGIN}
          y={cell.y + MARGIN}
          width="1"
          height="1"
          fill={cell.isStrong ? pattern.strong : pattern.soft}
        />
      ))}
    </svg>
  );
}
