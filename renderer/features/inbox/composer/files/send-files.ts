// Sends the files that wait above the text field, the text below the first one.
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { ChosenFiles } from "./chosen-files.tsx";
import { requireSendable } from "./large-files.ts";
import { prepareFile } from "./prepare-file.ts";

export interface FilesToSend {
  readonly chosen: Pick<ChosenFiles, "files" | "beginSending" | "endSending" | "giveBack">;
  /** What was in the field, and the text that it comes to. */
  readonly typed: string;
  readonly caption: string;
}

/**
 * Resolves once all are copied. Until then the text is the draft, so that it is there after a crash; what is typed meanwhile takes its place.
 * Files that could not be sent wait again.
 * @throws CodedError of the messenger, or BAD_REQUEST for a file that cannot be sent
 */
export async function sendFiles(messenger: Messenger, id: ConversationId, { chosen, typed, caption }: FilesToSend): Promise<void> {
  const { files } = chosen;
  await requireSendable(messenger, id, files);
  chosen.beginSending();
  let sent = 0;
  try {
    await messenger.setDraft(id, typed);
    for (const [index, file] of files.entries()) {
      await messenger.sendFile(id, await prepareFile(file, index === 0 ? caption : ""));
      chosen.endSending(file);
      sent += 1;
    }
  } catch (error) {
    chosen.giveBack(files.slice(sent));
    throw error;
  }
  const { draft } = messenger.getSnapshot().conversations.find((conversation) => conversation.id === id) ?? {};
  if (draft === typed) await messenger.setDraft(id, "");
}
