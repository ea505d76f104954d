// Messages among what the palette finds. The search answers later than the palette asks: its answer comes with the next list.
import { useNavigate } from "@tanstack/react-router";
import { MessageSquareText } from "lucide-react";
import { useCallback, useState } from "react";
import type { Command } from "#renderer/lib/commands/command-store.ts";
import { useCommandSource } from "#renderer/lib/commands/use-commands.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { jumpTo } from "./chat-intent-store.ts";
import { excerptOf } from "./found-excerpt.ts";
import { useMessageSearch } from "./use-message-search.ts";

/** Shorter texts find too much to be of use. */
const MIN_CHARS = 3;
const MAX_SHOWN = 6;
const NONE: readonly Command[] = [];

/** Adds messages to the palette. */
export function useFoundCommands(): void {
  const t = useMessages();
  const navigate = useNavigate();
  const [asked, setAsked] = useState("");
  const { hits, isSearching } = useMessageSearch(asked);
  const source = useCallback(
    (query: string): readonly Command[] => {
      const text = query.trim();
      if (text.length < MIN_CHARS) return NONE;
      if (text !== asked) queueMicrotask(() => setAsked(text));
      // What was found for another text is not what this one asks for.
      if (text !== asked || isSearching) return NONE;
      return hits.slice(0, MAX_SHOWN).map(({ key, conversation, at, body }) => ({
        id: `message-found:${key}`,
        group: "messages",
        label: excerptOf(t, body, text),
        icon: MessageSquareText,
        run: (): void => {
          jumpTo({ conversation, key, at, words: text });
          void navigate({ to: "/inbox/$conversation", params: { conversation }, resetScroll: false });
        },
      }));
    },
    [t, navigate, asked, isSearching, hits],
  );
  useCommandSource(source);
}
