// The round picture of a person in lists and headers.
import type { ReactElement } from "react";
import { usePicture } from "#renderer/lib/people/people-context.tsx";
import styles from "./avatar.module.css";
import { Identicon, type IdenticonProps } from "./identicon.tsx";
import { StatusDot } from "./status-dot.tsx";

export interface AvatarProps extends IdenticonProps {
  /** A dot at the corner, for example unread. */
  readonly dot?: "success" | "warning" | "danger" | "neutral";
  /** The picture of the key, whatever its owner chose: where one checks whom one pays. */
  readonly ofKey?: boolean;
}

/** The picture that the person gave themselves, else that of their key. Decorative: the name is beside it. */
export function Avatar(props: AvatarProps): ReactElement {
  const { publicKey, size = 36, dot, ofKey } = props;
  const picture = usePicture(publicKey);
  return (
    <span className={styles.avatar}>
      {picture === undefined || ofKey === true ? (
        <Identicon publicKey={publicKey} size={size} />
      ) : (
        <img src={picture} width={size} height={size} alt="" decoding="async" />
      )}
      {dot !== undefined && (
        <span className={styles.dot}>
          <StatusDot tone={dot} />
        </span>
      )}
    </span>
  );
}
