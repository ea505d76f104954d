// Why what is in the field cannot be sent later: texts alone can.
export type LaterReason = "chat.laterFiles" | "chat.laterCommand" | "chat.laterEdit";

/** Key of the words; undefined where nothing is in the way. */
export function laterReason(what: {
  readonly hasFiles: boolean;
  readonly isCommand: boolean;
  readonly isEdit: boolean;
}): LaterReason | undefined {
  if (what.hasFiles) return "chat.laterFiles";
  if (what.isCommand) return "chat.laterCommand";
  return what.isEdit ? "chat.laterEdit" : undefined;
}
