// A text that is one emoji. Pure.

const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}\uFE0F?|\p{Extended_Pictographic}\uFE0F)$/v;

/** True for one emoji with what may be joined to it, as this program's Unicode has it, and nothing else. None has more than 64 bytes. */
export function isOneEmoji(text: string): boolean {
  return EMOJI.test(text);
}
