// Sends the files that wait above the text field, the text below the first one, or before it where that is an answer.
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
  /** Sends a text as an answer: a file alone says nothing of what it answers. */
  readonly answer?: (text: string) => Promise<unknown>;
  /** The text has left: it is not to be sent once more where a file fails. */
  readonly onSaid: () => void;
}

/** What an answer without words says: the file that follows it. */
const FILE_SIGN = "📎";

/**
 * Resolves once all are copied. Until the text has left it is the draft, so that it is there after a crash; what is typed meanwhile takes
 * its place. Files that could not be sent wait again, and nothing is answered where the first one cannot be read.
 * @throws CodedError of the messenger, or BAD_REQUEST for a file that cannot be sent
 */
export async function sendFiles(messenger: Messenger, id: ConversationId, { chosen, typed, ...what }: FilesToSend): Promise<void> {
  const { caption, answer, onSaid } = what;
  const { files } = chosen;
  const say = async (): Promise<void> => {
    onSaid();
    const { draft } = messenger.getSnapshot().conversations.find((conversation) => conversation.id === id) ?? {};
    if (draft === typed) await messenger.setDraft(id, "");
  };
  await requireSendable(messenger, id, files);
  chosen.beginSending();
  let sent = 0;
  try {
    await messenger.setDraft(id, typed);
    for (const [index, file] of files.entries()) {
      const isFirst = index === 0;
      const prepared = await prepareFile(file, isFirst && answer === undefined ? caption : "");
      if (isFirst && answer !== undefined) {
        await answer(caption.trim() === "" ? `${FILE_SIGN} ${prepared.name}` : caption);
        await say();
      }
      await messenger.sendFile(id, prepared);
      chosen.endSending(file);
      sent += 1;
      if (isFirst && answer === undefined) await say();
    }
  } catch (error) {
    chosen.giveBack(files.slice(sent));
    throw error;
  }
}
