// Finds messages of the local store: by their words, or by what another message says of them.
import type { MessageReference } from "#shared/content/content.ts";
import type { FoundMessage } from "../model/conversation.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { MessageSearch } from "../store/search-index.ts";

const SEARCH_LIMIT = 50;

/** Looks messages up. The index of their words is opened with the first search. */
export class Finder {
  readonly #context: EngineContext;
  #search: Promise<MessageSearch> | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Messages with all words of the text, in one conversation or all, newest first. Case and accents do not matter. */
  async search(
    text: string,
    { conversation, limit = SEARCH_LIMIT }: { readonly conversation?: ConversationId; readonly limit?: number } = {},
  ): Promise<readonly FoundMessage[]> {
    const { store } = this.#context;
    const search = await this.#open();
    const found: FoundMessage[] = [];
    for (const { key } of await search.find({ text, limit, ...(conversation === undefined ? {} : { conversation }) })) {
      const record = await store.readMessage(key);
      if (record === undefined) continue;
      const { direction, author = null, at, body } = record;
      found.push({ key, conversation: record.conversation, direction, author, at, body });
    }
    return found;
  }

  /** Key and time of a message that another one speaks of, or undefined when it is not here. */
  async findMessage({ author, id }: MessageReference): Promise<{ readonly key: MessageKey; readonly at: number } | undefined> {
    const key = await this.#context.store.messageKey(author, id);
    const record = await this.#context.store.readMessage(key);
    return record && { key, at: record.at };
  }

  close(): void {
    void this.#search?.then(
      (search) => search.close(),
      () => undefined,
    );
  }

  #open(): Promise<MessageSearch> {
    const { keyring, openSearch } = this.#context;
    this.#search ??= keyring.storeKeys().then(openSearch);
    return this.#search;
  }
}
