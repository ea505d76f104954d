// Asks for a person: type a name to narrow the list, or paste an address, a hex key or a payment link. Arrow keys walk the list.
import { ScanLine } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useId, useMemo, useState } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isPartOfKey } from "#renderer/lib/people/is-part-of-key.ts";
import { sortByName } from "#renderer/lib/people/names/sort-by-name.ts";
import { useAreNamesPending, useNames } from "#renderer/lib/people/names/use-names.ts";
import type { RecipientInput } from "#renderer/lib/people/parse-recipient.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import { type Recipient, useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Avatar } from "../../basics/avatar.tsx";
import { IconButton } from "../../controls/icon-button.tsx";
import { TextField } from "../../controls/text-field.tsx";
import { Pending } from "../../feedback/pending.tsx";
import { ListRow } from "../../layout/list-row.tsx";
import { WholeLabel } from "../names/whole-label.tsx";
import { QrScanner } from "../qr-scanner.tsx";
import { RecentFaces } from "./recent-faces.tsx";
import styles from "./recipient-picker.module.css";

const PROBLEMS: Readonly<Partial<Record<RecipientInput["kind"] | Recipient["kind"], PlainMessageKey>>> = {
  checksum: "common.recipientChecksum",
  unusable: "common.recipientUnusable",
  badLink: "common.recipientBadLink",
};

/** People of each group that are shown at once. */
const MAX_SHOWN = 20;
const NO_PEOPLE: readonly never[] = [];

/** A group of people to choose from. */
export interface RecipientGroup {
  readonly title: string;
  readonly keys: readonly PublicKeyHex[];
  /** Shown by name; else in the order of the keys. */
  readonly byName?: boolean;
}

export interface RecipientPickerProps {
  readonly label: string;
  /** What is typed; `parseRecipient` parses it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A person in the list was chosen. */
  readonly onPick: (publicKey: PublicKeyHex) => void;
  readonly groups: readonly RecipientGroup[];
  /** Shown as faces above the groups while nothing is typed. */
  readonly recent?: readonly PublicKeyHex[];
  /** The groups are still to come. */
  readonly isLoading?: boolean;
  readonly autoFocus?: boolean;
  /** Enter in the field, instead of what the form around it does then. */
  readonly onEnter?: () => void;
}

/** Field and list. A pasted recipient replaces the list. */
export function RecipientPicker(props: RecipientPickerProps): ReactElement {
  const { label, value, onChange, onPick, groups, recent = NO_PEOPLE, isLoading = false, autoFocus = false, onEnter } = props;
  const t = useMessages();
  const [isScanning, setScanning] = useState(false);
  const input = useRecipient(value);
  const problem = PROBLEMS[input.kind];
  const query = input.kind === "search" ? input.text.replace(/^@/, "") : "name" in input ? input.name : undefined;
  const shown = useMatches(groups, query);
  const areNamesPending = useAreNamesPending(useKeysOf(groups));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus between field and rows, which Tab reaches too
    <div
      className={styles.picker}
      onKeyDown={(event): void => {
        moveFocus(event);
        if (onEnter === undefined || event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        onEnter();
      }}
    >
      <TextField
        label={label}
        value={value}
        onChange={onChange}
        placeholder={t("common.recipientPlaceholder")}
        spellCheck={false}
        autoFocus={autoFocus}
        error={problem === undefined ? undefined : t(problem)}
        affix={<IconButton icon={ScanLine} size="small" label={t("common.scan")} onClick={(): void => setScanning(true)} />}
      />
      {isScanning && (
        <QrScanner
          onClose={(): void => setScanning(false)}
          onFound={(text): void => {
            setScanning(false);
            onChange(text);
          }}
        />
      )}
      {"name" in input && <NamedPerson recipient={input} onPick={onPick} />}
      <div className={styles.groups} data-at-once="">
        {(isLoading || areNamesPending) && <Pending />}
        {query === "" && recent.length > 0 && <RecentFaces people={recent} onPick={onPick} />}
        {shown.map((group) => (
          <Group key={group.title} group={group} onPick={onPick} />
        ))}
        {input.kind === "search" && query !== "" && shown.length === 0 && <p className={styles.empty}>{t("common.recipientNotFound")}</p>}
      </div>
    </div>
  );
}

/** Who has the name that is typed: said before anything is paid to them. */
function NamedPerson(props: {
  readonly recipient: Extract<Recipient, { readonly name: string }>;
  readonly onPick: (publicKey: PublicKeyHex) => void;
}): ReactElement {
  const { recipient, onPick } = props;
  const t = useMessages();
  const name = `@${recipient.name}`;
  if (recipient.kind === "named") {
    const { to } = recipient.request;
    return (
      <ListRow
        leading={<Avatar publicKey={to} size={32} />}
        heading={name}
        subtitle={shorten(formatAddress(to))}
        onClick={(): void => onPick(to)}
      />
    );
  }
  return (
    <p className={shared.hint} role="status">
      {t(`common.recipient.${recipient.kind}`, { name })}
    </p>
  );
}

function useKeysOf(groups: readonly RecipientGroup[]): readonly PublicKeyHex[] {
  return useMemo(() => [...new Set(groups.flatMap((group) => group.keys))], [groups]);
}

/** The people of each group that fit what is typed. */
function useMatches(groups: readonly RecipientGroup[], query: string | undefined): readonly RecipientGroup[] {
  const { locale } = useLanguage();
  const names = useNames(useKeysOf(groups));
  const sorted = useMemo(
    () => groups.map((group) => (group.byName === true ? { ...group, keys: sortByName(group.keys, names, locale) } : group)),
    [groups, names, locale],
  );
  if (query === undefined) return [];
  const needle = query.toLowerCase();
  const fits = (key: PublicKeyHex): boolean => (names.get(key) ?? "").toLowerCase().includes(needle) || isPartOfKey(needle, key);
  return sorted
    .map(({ title, keys }) => ({ title, keys: (needle === "" ? keys : keys.filter(fits)).slice(0, MAX_SHOWN) }))
    .filter((group) => group.keys.length > 0);
}

interface GroupProps {
  readonly group: RecipientGroup;
  readonly onPick: (publicKey: PublicKeyHex) => void;
}

function Group({ group, onPick }: GroupProps): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {group.title}
      </h3>
      {group.keys.map((key) => (
        <PersonOption key={key} publicKey={key} onPick={onPick} />
      ))}
    </section>
  );
}

function PersonOption(props: { readonly publicKey: PublicKeyHex; readonly onPick: (publicKey: PublicKeyHex) => void }): ReactElement {
  const { publicKey, onPick } = props;
  const { name } = usePerson(publicKey);
  return (
    <ListRow
      leading={<Avatar publicKey={publicKey} size={32} />}
      heading={<WholeLabel publicKey={publicKey} />}
      isWhole
      {...(name !== undefined && { subtitle: shorten(formatAddress(publicKey)) })}
      onClick={(): void => onPick(publicKey)}
    />
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
