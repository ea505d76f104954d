// People whom one paid last, as faces: one press chooses them.
import { type ReactElement, useId } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { labelLines, labelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Avatar } from "../../basics/avatar.tsx";
import styles from "./recent-faces.module.css";

export interface RecentFacesProps {
  /** Latest first; what fits in the row. */
  readonly people: readonly PublicKeyHex[];
  readonly onPick: (publicKey: PublicKeyHex) => void;
}

export function RecentFaces({ people, onPick }: RecentFacesProps): ReactElement {
  const t = useMessages();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {t("common.recent")}
      </h3>
      <div className={styles.faces}>
        {people.map((key) => (
          <Face key={key} publicKey={key} onPick={onPick} />
        ))}
      </div>
    </section>
  );
}

function Face(props: { readonly publicKey: PublicKeyHex; readonly onPick: (publicKey: PublicKeyHex) => void }): ReactElement {
  const { publicKey, onPick } = props;
  const person = usePerson(publicKey);
  const { name, tail } = labelLines(person, publicKey);
  return (
    <button type="button" className={styles.face} title={labelOf(person, publicKey)} onClick={(): void => onPick(publicKey)}>
      <Avatar publicKey={publicKey} size={40} />
      <bdi className={styles.name}>{name}</bdi>
      {tail !== undefined && <span className={styles.tail}>{tail}</span>}
    </button>
  );
}
