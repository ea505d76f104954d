// What there is behind a slash in a chat; the menu is loaded with the first slash.
import { type ReactElement, type RefObject, Suspense } from "react";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import type { AttachPort } from "../attach-menu.tsx";
import { hasCamera } from "../camera/camera-stream.ts";
import { type Field, putAt } from "../field-edits.ts";
import { type SlashCommand, slashCommands, textBehind } from "./slash-commands.ts";
import type { SlashPort } from "./slash-menu.tsx";

const SlashMenu = lazyPart(async () => (await import("./slash-menu.tsx")).SlashMenu);

export interface SlashProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly maySend: boolean;
  readonly text: string;
  readonly field: Field;
  readonly port: RefObject<SlashPort | null>;
  readonly attach: RefObject<AttachPort | null>;
  readonly put: (text: string) => void;
}

/** The menu while the text begins with a slash. */
export function Slash({ id, header, maySend, text, field, port, attach, put }: SlashProps): ReactElement | null {
  if (!text.startsWith("/")) return null;
  const pick = (command: SlashCommand): void => {
    const left = textBehind(command);
    putAt(field, { text: left, caret: left.length, put });
    if (command === "split") openPaySheet({ conversation: id });
    else if (command === "poll") attach.current?.poll();
    else if (command === "photo") attach.current?.photo();
    else if (command === "file") attach.current?.pick("files");
  };
  const commands = slashCommands({ kind: header.kind, maySend, hasCamera: hasCamera() });
  return (
    <Suspense fallback={null}>
      <SlashMenu commands={commands} text={text} field={field} port={port} onPick={pick} />
    </Suspense>
  );
}
