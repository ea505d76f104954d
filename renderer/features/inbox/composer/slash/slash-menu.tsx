// Commands above the text field while a slash is typed into an empty one. The focus stays in the field, which names the active one.
import { CalendarClock, Camera, ChartBarBig, Coins, HandCoins, type LucideIcon, Paperclip, Split } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useId, useImperativeHandle, useState } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { type Field, useFieldSaysWhere } from "../field-edits.ts";
import styles from "../mentions/mention-list.module.css";
import { OptionRow } from "../mentions/option-row.tsx";
import { matchingCommands, SLASH_WORDS, type SlashCommand } from "./slash-commands.ts";

const ICONS: Readonly<Record<SlashCommand, LucideIcon>> = {
  pay: Coins,
  request: HandCoins,
  split: Split,
  poll: ChartBarBig,
  later: CalendarClock,
  photo: Camera,
  file: Paperclip,
};

/** What the composer asks of the menu. */
export interface SlashPort {
  /** True for a key that the menu has taken. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

export interface SlashMenuProps {
  readonly commands: readonly SlashCommand[];
  readonly text: string;
  readonly field: Field;
  readonly port: RefObject<SlashPort | null>;
  readonly onPick: (command: SlashCommand) => void;
}

/** Mounted while the text begins with a slash: what Escape closed opens again with the next one. */
export function SlashMenu(props: SlashMenuProps): ReactElement {
  return (
    <WithAllWords>
      <List {...props} />
    </WithAllWords>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

function List({ commands, text, field, port, onPick }: SlashMenuProps): ReactElement | null {
  const t = useMessages();
  const listId = useId();
  const [hasLeft, setLeft] = useState(false);
  const [chosen, setChosen] = useState({ text: "", index: 0 });
  const matches = hasLeft ? [] : matchingCommands(commands, text);
  const active = chosen.text === text ? Math.min(chosen.index, matches.length - 1) : 0;
  const onKey = (event: KeyboardEvent): boolean => {
    // Who types fast means what the field says, not what the list shows.
    const now = hasLeft ? [] : matchingCommands(commands, field.current?.value ?? "");
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
    const command = now[Math.min(active, now.length - 1)];
    if (!isPlain || command === undefined) return false;
    const step = STEPS[event.key];
    if (event.key === "Escape") setLeft(true);
    else if (event.key === "Enter" || event.key === "Tab") onPick(command);
    else if (step !== undefined) setChosen({ text, index: (active + step + now.length) % now.length });
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  useImperativeHandle(port, () => ({ onKey }));
  const count = matches.length;
  useFieldSaysWhere(field, count > 0 ? { list: listId, option: `${listId}${active}` } : undefined);
  useEffect(() => {
    if (count > 0) announce(t("chat.slashCount", { count }));
  }, [count, t]);
  if (count === 0) return null;
  return (
    <div id={listId} className={styles.list} role="listbox" aria-label={t("chat.slashCommands")}>
      {matches.map((command, index) => (
        <Row key={command} id={`${listId}${index}`} command={command} isActive={index === active} onPick={(): void => onPick(command)} />
      ))}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly command: SlashCommand;
  readonly isActive: boolean;
  readonly onPick: () => void;
}

function Row({ id, command, isActive, onPick }: RowProps): ReactElement {
  const t = useMessages();
  const Icon = ICONS[command];
  return (
    <OptionRow id={id} isActive={isActive} onPick={onPick}>
      <Icon size={18} aria-hidden="true" />
      <span className={styles.words}>{t(SLASH_WORDS[command])}</span>
      <span className={styles.address}>/{command}</span>
    </OptionRow>
  );
}
