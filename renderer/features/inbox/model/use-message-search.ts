// What is found for a text while it is typed: searched a moment after the last keystroke, older results never replace newer ones.
import { useEffect, useState } from "react";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import type { FoundMessage } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";

const DELAY_MS = 120;
const LIMIT = 50;
const NOTHING: readonly FoundMessage[] = [];

export interface MessageSearchState {
  readonly hits: readonly FoundMessage[];
  /** True until the results for the text are there. */
  readonly isSearching: boolean;
  readonly hasFailed: boolean;
}

interface SearchResults {
  readonly text: string;
  readonly hits: readonly FoundMessage[];
  readonly hasFailed: boolean;
}

/** Searches in one conversation, or in all. An empty text finds nothing. */
export function useMessageSearch(text: string, conversation?: ConversationId): MessageSearchState {
  const messenger = useMessenger();
  const [results, setResults] = useState<SearchResults>({ text: "", hits: NOTHING, hasFailed: false });
  const query = text.trim();
  useEffect(() => {
    if (messenger === undefined || query === "") return undefined;
    let isCurrent = true;
    const options = { limit: LIMIT, ...(conversation === undefined ? {} : { conversation }) };
    const timer = setTimeout(() => {
      messenger.search(query, options).then(
        (hits) => isCurrent && setResults({ text: query, hits, hasFailed: false }),
        () => isCurrent && setResults({ text: query, hits: NOTHING, hasFailed: true }),
      );
    }, DELAY_MS);
    return (): void => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [messenger, query, conversation]);
  if (query === "") return { hits: NOTHING, isSearching: false, hasFailed: false };
  return { hits: results.hits, isSearching: results.text !== query, hasFailed: results.hasFailed };
}
