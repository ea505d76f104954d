// Pages of mailboxes that were asked for lately: most mailboxes are asked for again before anything in them has changed, and whether that is so
// is one small row of the database. Whoever changes a mailbox changes that row.
import { LRUCache } from "lru-cache";
import type { MailboxQuery, MailboxText } from "../../../mailbox-repository.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { listCall, type MailboxVersion, mailboxText, versionCall, versionOf } from "./mail-reads.ts";

/** Characters of all pages that are remembered. */
export const RECENT_CHARS = 8_388_608;

interface RecentPage {
  readonly text: MailboxText;
  readonly version: MailboxVersion;
}

/** Pages of one process. */
export class RecentPages {
  readonly #database: Pick<PostgresDatabase, "runAll">;
  readonly #pages = new LRUCache<string, RecentPage>({
    maxSize: RECENT_CHARS,
    sizeCalculation: ({ text }, key): number => text.items.length + key.length,
  });

  constructor(database: Pick<PostgresDatabase, "runAll">) {
    this.#database = database;
  }

  /** The page as it is now. @throws CodedError UNAVAILABLE while the database is away */
  async list(query: MailboxQuery): Promise<MailboxText> {
    const { recipientPub, limit, sinceSec, afterSeq, hidesDeleted, maxBytes } = query;
    const key = `${recipientPub} ${limit} ${sinceSec} ${afterSeq} ${hidesDeleted} ${maxBytes}`;
    const known = this.#pages.get(key);
    const version = versionCall(recipientPub);
    if (known !== undefined) {
      const [now = []] = await this.#database.runAll([version]);
      if (versionOf(now) === known.version) return known.text;
    }
    // The version first: a change between the two is seen the next time.
    const [now = [], rows = []] = await this.#database.runAll([version, listCall(query)]);
    const text = mailboxText(rows, recipientPub);
    this.#pages.set(key, { text, version: versionOf(now) });
    return text;
  }
}
