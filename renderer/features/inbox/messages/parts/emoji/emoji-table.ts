// All emoji with their names in the person's language, in the order of Unicode's chart. Loaded when they are first asked for.

/** What is used of an entry of the data. */
export interface CompactEmoji {
  readonly unicode: string;
  readonly hexcode: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly group?: number;
  readonly order?: number;
  readonly skins?: readonly Pick<CompactEmoji, "unicode" | "hexcode">[];
}

/** Groups in their order; each is a number in the data. */
export const EMOJI_GROUPS = ["smileys", "people", "animals", "food", "travel", "activities", "objects", "symbols", "flags"] as const;

export type EmojiGroup = (typeof EMOJI_GROUPS)[number];

const NUMBERS: Readonly<Record<EmojiGroup, number>> = {
  smileys: 0,
  people: 1,
  animals: 3,
  food: 4,
  travel: 5,
  activities: 6,
  objects: 7,
  symbols: 8,
  flags: 9,
};

export interface EmojiEntry {
  readonly emoji: string;
  readonly label: string;
  /** Other words for it. */
  readonly tags: readonly string[];
  readonly group: EmojiGroup;
  /** With the five skin tones, the lightest first; none where it has no skin. */
  readonly tones: readonly string[];
}

const LANGUAGES: Readonly<Record<string, () => Promise<{ readonly default: readonly CompactEmoji[] }>>> = {
  en: () => import("emojibase-data/en/compact.json"),
  de: () => import("emojibase-data/de/compact.json"),
};

/** The table in the language of a locale; in English where there is none. */
export async function loadEmoji(locale: string): Promise<readonly EmojiEntry[]> {
  const load = LANGUAGES[locale.split("-")[0] ?? ""] ?? LANGUAGES.en;
  return entriesOf((await load?.())?.default ?? []);
}

/** Entries that have a group of {@link EMOJI_GROUPS}: skin tones and letters of flags alone are none. */
export function entriesOf(data: readonly CompactEmoji[]): readonly EmojiEntry[] {
  const sorted = data.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return sorted.flatMap(({ unicode, label, tags = [], group, skins = [] }) => {
    const name = EMOJI_GROUPS.find((candidate) => NUMBERS[candidate] === group);
    // Two people have 25 forms; the five where both have the same tone are offered.
    return name === undefined
      ? []
      : [{ emoji: unicode, label, tags, group: name, tones: skins.filter(isOneTone).map((skin) => skin.unicode) }];
  });
}

/** As it is shown with a tone. */
export function withTone({ emoji, tones }: EmojiEntry, tone: number): string {
  return tone === 0 ? emoji : (tones[tone - 1] ?? emoji);
}

const TONE = /1F3F[B-F]/g;

function isOneTone({ hexcode }: Pick<CompactEmoji, "hexcode">): boolean {
  return new Set(hexcode.match(TONE)).size === 1;
}
