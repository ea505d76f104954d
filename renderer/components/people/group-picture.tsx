// The round picture of a group in lists and headers.
import { type LucideIcon, Users } from "lucide-react";
import type { ReactElement } from "react";
import { usePicture } from "#renderer/lib/people/people-context.tsx";
import styles from "./group-picture.module.css";

export interface GroupPictureProps {
  /** Its conversation. */
  readonly group: string;
  /** Pixels a side. */
  readonly size: number;
}

/** The picture that the group has, else a symbol. Decorative: the name is beside it. */
export function GroupPicture({ group, size }: GroupPictureProps): ReactElement {
  const picture = usePicture(group);
  if (picture !== undefined) return <img className={styles.picture} src={picture} width={size} height={size} alt="" decoding="async" />;
  return <PictureSymbol icon={Users} size={size} />;
}

/** A symbol in place of a picture. */
export function PictureSymbol({ icon: Icon, size }: { readonly icon: LucideIcon; readonly size: number }): ReactElement {
  return (
    <span className={styles.symbol} style={{ width: size, height: size }}>
      <Icon size={Math.round(size / 2)} aria-hidden="true" />
    </span>
  );
}
