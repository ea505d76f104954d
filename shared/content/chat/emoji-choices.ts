// What a device remembers of choosing emoji: the ones used last, and the skin tone. It stays on the device. Pure.

/** Key under which a device stores them. */
export const EMOJI_KEY = "emoji";
/** Most emoji that are remembered. */
export const MAX_RECENT_EMOJI = 24;
/** Longest emoji that is remembered, UTF-16 units: families with tones are the longest there are. */
export const MAX_EMOJI_CHARS = 32;
/** Skin tones, from none to the darkest. */
export const SKIN_TONES = [0, 1, 2, 3, 4, 5] as const;

export type SkinTone = (typeof SKIN_TONES)[number];

export interface EmojiChoices {
  /** Used last, the newest first. */
  readonly recent: readonly string[];
  readonly tone: SkinTone;
}

/** Before any was chosen. */
export const NO_EMOJI_CHOICES: EmojiChoices = { recent: [], tone: 0 };

/** After an emoji was used. */
export function withEmoji({ recent, tone }: EmojiChoices, emoji: string): EmojiChoices {
  if (emoji.length > MAX_EMOJI_CHARS) return { recent, tone };
  return { recent: [emoji, ...recent.filter((other) => other !== emoji)].slice(0, MAX_RECENT_EMOJI), tone };
}
