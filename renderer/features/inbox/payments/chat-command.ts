// Commands typed into a chat: `/pay 5` and `/request 5 lunch`. Pure. Nothing else that begins with a slash is a command.
import { readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_NOTE_BYTES } from "#shared/content/pay-content.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { utf8Length } from "#shared/util/bytes.ts";

/** What was asked for. */
export type ChatCommand =
  | { readonly kind: "pay" | "request"; readonly amountUt: AmountUt; readonly note: string }
  /** A command whose amount cannot be read: nothing is guessed, and nothing is sent. */
  | { readonly kind: "invalid"; readonly problem: "amount" | "note" };

const FORM = /^\/(pay|request)(?:\s+(\S+)(?:\s+T(?=\s|$))?(?:\s+([\s\S]*))?)?$/;

/** The command of a text, or undefined when it is a message. */
export function parseChatCommand(text: string, locale: string): ChatCommand | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [, name, typed = "", note = ""] = match;
  const amount = readAmount(typed, locale);
  if (amount.kind !== "ok") return { kind: "invalid", problem: "amount" };
  if (utf8Length(note) > MAX_NOTE_BYTES) return { kind: "invalid", problem: "note" };
  return { kind: name === "pay" ? "pay" : "request", amountUt: amount.amountUt, note: note.trim() };
}
