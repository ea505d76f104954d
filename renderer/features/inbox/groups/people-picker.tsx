// Choosing several contacts: a field that narrows the list, and a checkbox for each.
import { type ReactElement, useMemo, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { VirtualList } from "#renderer/components/layout/virtual-list.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { sortByName } from "#renderer/lib/people/names/sort-by-name.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./people-picker.module.css";

export interface PeoplePickerProps {
  readonly people: readonly PublicKeyHex[];
  readonly chosen: readonly PublicKeyHex[];
  readonly onChange: (chosen: readonly PublicKeyHex[]) => void;
  /** No more can be chosen than this. */
  readonly room: number;
}

/** A row with its avatar. */
const ROW_PX = 40;
/** Rows that are seen at once. */
const MAX_ROWS = 7;

export function PeoplePicker({ people, chosen, onChange, room }: PeoplePickerProps): ReactElement {
  const { t, locale } = useLanguage();
  const names = useNames(people);
  const [query, setQuery] = useState("");
  const sorted = useMemo(() => sortByName(people, names, locale), [people, names, locale]);
  const needle = query.trim().toLowerCase();
  const labelOf = (person: PublicKeyHex): string => names.get(person) ?? shorten(formatAddress(person));
  const shown = sorted.filter((person) => labelOf(person).toLowerCase().includes(needle));
  const toggle = (person: PublicKeyHex, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, person] : chosen.filter((other) => other !== person));
  if (people.length === 0) return <p className={shared.hint}>{t("chat.groupNoContacts")}</p>;
  return (
    <div className={shared.stack3}>
      <TextField label={t("chat.groupFind")} type="search" value={query} onChange={setQuery} />
      <div className={styles.people} style={{ height: (Math.min(shown.length, MAX_ROWS) + 1 / 2) * ROW_PX }}>
        <VirtualList
          label={t("contacts.title")}
          items={shown}
          keyOf={(person): string => person}
          estimateSize={ROW_PX}
          renderItem={(person): ReactElement => (
            <div className={styles.row}>
              <Checkbox
                label={
                  <span className={styles.person}>
                    <Avatar publicKey={person} size={28} />
                    {labelOf(person)}
                  </span>
                }
                checked={chosen.includes(person)}
                disabled={!chosen.includes(person) && chosen.length >= room}
                onChange={(isChosen): void => toggle(person, isChosen)}
              />
            </div>
          )}
        />
      </div>
      <p className={shared.hint} role="status">
        {t("chat.groupChosen", { count: chosen.length, most: String(room) })}
      </p>
    </div>
  );
}
