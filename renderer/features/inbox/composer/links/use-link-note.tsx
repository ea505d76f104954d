// The preview of the first link of what is typed, where the person has previews on, or changes a message that has one.
import { type ReactElement, Suspense, useRef } from "react";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { useChatIntents } from "../../model/chat-intent-store.ts";
import type { ChosenFiles } from "../files/chosen-files.tsx";
import type { LinkPort } from "./link-note.tsx";

const LinkNote = lazyPart(async () => (await import("./link-note.tsx")).LinkNote);

export interface LinkNoteState {
  readonly note: ReactElement | null;
  /** What goes with a text; undefined where nothing is shown for its link. */
  readonly previewOf: (text: string) => LinkPreview | undefined;
}

/** Of a composer. A caption of a file has none. */
export function useLinkNote(id: ConversationId, text: string, chosen: ChosenFiles): LinkNoteState {
  const port = useRef<LinkPort>(null);
  const isOn = useSettings(({ linkPreviews }) => linkPreviews);
  const mode = useChatIntents(({ modes }) => modes[id]);
  const kept = mode?.kind === "edit" && "preview" in mode.message.body ? mode.message.body.preview : undefined;
  const isCaption = chosen.files.length > 0 && mode === undefined;
  const isShown = !isCaption && (isOn || kept !== undefined) && /https:/i.test(text);
  return {
    note: isShown ? (
      <Suspense fallback={null}>
        <LinkNote {...{ text, kept, isOn, port }} />
      </Suspense>
    ) : null,
    previewOf: (sent) => port.current?.previewOf(sent),
  };
}
