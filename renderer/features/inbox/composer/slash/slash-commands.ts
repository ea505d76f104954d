// Commands behind a slash at the beginning of an empty field, by what is typed of their names. Pure.
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";

export type SlashCommand = "pay" | "request" | "split" | "poll" | "later" | "photo" | "file";

/** What a press on one does, in words; those that are gone on writing name what follows. */
export const SLASH_WORDS = {
  pay: "chat.slash.pay",
  request: "chat.slash.request",
  split: "chat.slash.split",
  poll: "chat.slash.poll",
  later: "chat.slash.later",
  photo: "chat.slash.photo",
  file: "chat.slash.file",
} as const satisfies Readonly<Record<SlashCommand, PlainMessageKey>>;

/** Commands that text follows: they stay in the field. */
const WRITTEN: readonly SlashCommand[] = ["pay", "request", "later"];

export interface SlashPlace {
  readonly kind: "person" | "group" | "self" | "unknown";
  /** Something can be sent to others here. */
  readonly maySend: boolean;
  readonly hasCamera: boolean;
}

/** What there is in a chat, in the order in which it is offered. */
export function slashCommands({ kind, maySend, hasCamera }: SlashPlace): readonly SlashCommand[] {
  const commands: SlashCommand[] = [];
  if (kind === "person") commands.push("pay", "request");
  if (kind === "group" && maySend) commands.push("split");
  if (kind !== "self" && maySend) commands.push("poll");
  if (maySend) commands.push("later");
  if (hasCamera) commands.push("photo");
  return [...commands, "file"];
}

/** Those whose name begins as it is typed; none for what is no beginning of a command, or more than its name. */
export function matchingCommands(commands: readonly SlashCommand[], text: string): readonly SlashCommand[] {
  if (!text.startsWith("/")) return [];
  const typed = text.slice(1).toLowerCase();
  return commands.filter((command) => command.startsWith(typed));
}

/** What a choice leaves in the field. */
export function textBehind(command: SlashCommand): string {
  return WRITTEN.includes(command) ? `/${command} ` : "";
}

const LATER = /^\/later\s+(?=\S)/;

/** The text that is to be sent later; undefined where that is not what is typed. */
export function laterText(text: string): string | undefined {
  return LATER.test(text) ? text.replace(LATER, "") : undefined;
}
