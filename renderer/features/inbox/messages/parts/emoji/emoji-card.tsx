// The card of all emoji: a search, the ones used last, groups, and the skin tone. Loaded when it is first opened.
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { SKIN_TONES, type SkinTone } from "#shared/content/chat/emoji-choices.ts";
import styles from "./emoji-card.module.css";
import { EmojiGrid } from "./emoji-grid.tsx";
import { EMOJI_GROUPS, type EmojiEntry, type EmojiGroup, loadEmoji, withTone } from "./emoji-table.ts";
import { findEmoji } from "./find-emoji.ts";
import { FIRST_RECENT } from "./first-recent.ts";

/** What stands for each group and each skin tone. */
const SIGNS: Readonly<Record<EmojiGroup, string>> = {
  smileys: "😀",
  people: "👋",
  animals: "🐻",
  food: "🍔",
  travel: "✈️",
  activities: "⚽",
  objects: "💡",
  symbols: "❤️",
  flags: "🏁",
};
const HANDS = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"] as const;

type Shown = EmojiGroup | "recent";

export interface EmojiCardProps {
  readonly onPick: (emoji: string) => void;
}

export function EmojiCard({ onPick }: EmojiCardProps): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const messenger = useMessenger();
  const { recent, tone: storedTone } = useMessengerValue(({ emoji }) => emoji);
  const [chosenTone, setTone] = useState<SkinTone>();
  const tone = chosenTone ?? storedTone;
  const query = useQuery({ queryKey: ["emoji", locale], queryFn: () => loadEmoji(locale), staleTime: Number.POSITIVE_INFINITY });
  const entries = query.data;
  const [text, setText] = useState("");
  const [shown, setShown] = useState<Shown>("recent");
  const grid = useRef<HTMLUListElement>(null);
  const pick = (emoji: string): void => {
    messenger?.noteEmoji(emoji).catch(() => undefined);
    onPick(emoji);
  };
  const toGrid = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    grid.current?.querySelector<HTMLButtonElement>("button[tabindex='0']")?.focus();
  };
  if (query.error !== null) return <ErrorState error={query.error} onRetry={(): void => void query.refetch()} />;
  if (entries === undefined) return <Spinner />;
  const found = findEmoji(entries, text, locale);
  const isSearching = text.trim() !== "";
  const choices = isSearching ? toned(found, tone) : shown === "recent" ? recentOf(entries, recent) : toned(inGroup(entries, shown), tone);
  return (
    <div className={styles.choice}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside takes the key */}
      <div onKeyDown={toGrid}>
        <TextField
          label={t("chat.emojiSearch")}
          hideLabel
          type="search"
          placeholder={t("chat.emojiSearch")}
          autoFocus
          value={text}
          onChange={setText}
          affix={<Search size={14} aria-hidden="true" />}
        />
      </div>
      {!isSearching && (
        <SegmentedControl
          isNarrow
          label={t("chat.emojiGroups")}
          value={shown}
          onChange={setShown}
          options={[
            { value: "recent", label: "🕑", name: t("chat.emoji.recent") },
            ...EMOJI_GROUPS.map((group) => ({ value: group, label: SIGNS[group], name: t(`chat.emoji.${group}`) })),
          ]}
        />
      )}
      {choices.length === 0 ? (
        <p className={shared.hint} role="status">
          {t("chat.emojiNone")}
        </p>
      ) : (
        <EmojiGrid key={isSearching ? text : shown} ref={grid} label={t("inbox.emoji")} choices={choices} onPick={pick} />
      )}
      <SegmentedControl
        isNarrow
        label={t("chat.emojiTone")}
        value={String(tone)}
        onChange={(next): void => {
          const wanted = Number(next) as SkinTone;
          setTone(wanted);
          messenger?.setSkinTone(wanted).catch(() => undefined);
        }}
        options={SKIN_TONES.map((value) => ({ value: String(value), label: HANDS[value], name: t(`chat.emojiTone.${value}`) }))}
      />
    </div>
  );
}

interface Choice {
  readonly emoji: string;
  readonly label: string;
}

function inGroup(entries: readonly EmojiEntry[], group: EmojiGroup): readonly EmojiEntry[] {
  return entries.filter((entry) => entry.group === group);
}

function toned(entries: readonly EmojiEntry[], tone: SkinTone): readonly Choice[] {
  return entries.map((entry) => ({ emoji: withTone(entry, tone), label: entry.label }));
}

/** Emoji as they were used, with their names; what this program does not know is named by itself. */
function recentOf(entries: readonly EmojiEntry[], recent: readonly string[]): readonly Choice[] {
  const labels = new Map(entries.flatMap(({ emoji, tones, label }) => [emoji, ...tones].map((form) => [form, label] as const)));
  const used = new Set([...recent, ...FIRST_RECENT]);
  return [...used].map((emoji) => ({ emoji, label: labels.get(emoji) ?? emoji }));
}
