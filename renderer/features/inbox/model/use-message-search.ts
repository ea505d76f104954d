// What is found for a text while it is typed: searched a moment after the last keystroke, older results never replace newer ones.
import { useEffect, useState } from "react";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import type { FoundMessage } from "#shared/messenger/model/conversation.ts";
import type { SearchFilter } from "#shared/messenger/store/search/search-index.ts";
import type { SearchKind } from "#shared/messenger/store/search/search-text.ts";

const DELAY_MS = 120;
/** Messages found at once at most: there may be more. */
export const MOST_FOUND = 50;
const NOTHING: readonly FoundMessage[] = [];
const NO_FILTER: SearchFilter = {};
const NO_KINDS: readonly SearchKind[] = [];

export interface MessageSearchState {
  readonly hits: readonly FoundMessage[];
  /** True until the results for the text are there. */
  readonly isSearching: boolean;
  readonly hasFailed: boolean;
}

interface SearchResults {
  /** Text and filter that they are for. */
  readonly asked: string;
  readonly hits: readonly FoundMessage[];
  readonly hasFailed: boolean;
}

/** Searches what the filter lets through. An empty text finds all of it, and nothing of one that names neither kinds nor times. */
export function useMessageSearch(text: string, filter: SearchFilter = NO_FILTER): MessageSearchState {
  const messenger = useMessenger();
  const [results, setResults] = useState<SearchResults>({ asked: "", hits: NOTHING, hasFailed: false });
  const query = text.trim();
  const { conversation, kinds = NO_KINDS, from, before } = filter;
  const isEmpty = query === "" && kinds.length === 0 && from === undefined && before === undefined;
  const asked = JSON.stringify([query, conversation, kinds, from, before]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is all of the text and the filter
  useEffect(() => {
    if (messenger === undefined || isEmpty) return undefined;
    let isCurrent = true;
    const options = { ...filter, limit: MOST_FOUND };
    const timer = setTimeout(() => {
      messenger.search(query, options).then(
        (hits) => isCurrent && setResults({ asked, hits, hasFailed: false }),
        () => isCurrent && setResults({ asked, hits: NOTHING, hasFailed: true }),
      );
    }, DELAY_MS);
    return (): void => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [messenger, isEmpty, asked]);
  if (isEmpty) return { hits: NOTHING, isSearching: false, hasFailed: false };
  return { hits: results.hits, isSearching: results.asked !== asked, hasFailed: results.hasFailed };
}
