// The round picture of a person in lists and headers.
import type { ReactElement } from "react";
import styles from "./avatar.module.css";
import { Identicon, type IdenticonProps } from "./identicon.tsx";
import { StatusDot } from "./status-dot.tsx";

export interface AvatarProps extends IdenticonProps {
  /** A dot at the corner, for example unread. */
  readonly dot?: "success" | "warning" | "danger" | "neutral";
}

/** Decorative: the name is beside it. */
export function Avatar(props: AvatarProps): ReactElement {
  const { publicKey, size = 36, dot } = props;
  return (
    <span className={styles.avatar}>
      <Identicon publicKey={publicKey} size={size} />
      {dot !== undefined && (
        <span className={styles.dot}>
          <StatusDot tone={dot} />
        </span>
      )}
    </span>
  );
}
