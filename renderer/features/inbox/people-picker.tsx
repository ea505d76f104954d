// Choosing several contacts: a field that narrows the list, and a checkbox for each.
import { type ReactElement, useState } from "react";
import { Avatar } from "#renderer/components/avatar.tsx";
import { Checkbox } from "#renderer/components/checkbox.tsx";
import { TextField } from "#renderer/components/text-field.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import styles from "./people-picker.module.css";
import { useNameOf } from "./use-name-of.ts";

/** Props of {@link PeoplePicker}. */
export interface PeoplePickerProps {
  readonly people: readonly PublicKeyHex[];
  readonly chosen: readonly PublicKeyHex[];
  readonly onChange: (chosen: readonly PublicKeyHex[]) => void;
  /** No more can be chosen than this. */
  readonly room: number;
}

/** The list. */
export function PeoplePicker({ people, chosen, onChange, room }: PeoplePickerProps): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf(people);
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const shown = people.filter((person) => nameOf(person).toLowerCase().includes(wanted));
  const toggle = (person: PublicKeyHex, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, person] : chosen.filter((other) => other !== person));
  if (people.length === 0) return <p className={styles.nobody}>{t("inbox.groupNobody")}</p>;
  return (
    <div className={styles.picker}>
      <TextField label={t("inbox.groupFind")} type="search" value={query} onChange={setQuery} />
      <ul className={styles.people} aria-label={t("inbox.contacts")}>
        {shown.map((person) => (
          <li key={person}>
            <Checkbox
              label={
                <span className={styles.person}>
                  <Avatar publicKey={person} size={28} />
                  {nameOf(person)}
                </span>
              }
              checked={chosen.includes(person)}
              disabled={!chosen.includes(person) && chosen.length >= room}
              onChange={(isChosen): void => toggle(person, isChosen)}
            />
          </li>
        ))}
      </ul>
      <p className={styles.count} role="status">
        {t("inbox.groupChosen", { count: chosen.length, most: String(room) })}
      </p>
    </div>
  );
}
