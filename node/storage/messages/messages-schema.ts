// Schema of messages.db: the local store of the messaging engine where there is no browser. What is in the rows says
// shared/messenger/store/store-database.ts; contents are sealed before they come here, keys are keyed hashes.
import type { DatabaseKind } from "../sqlite-database.ts";

const INITIAL_SCHEMA = `
CREATE TABLE messages (
  key TEXT PRIMARY KEY,
  conversation TEXT NOT NULL,
  at REAL NOT NULL,
  unread INTEGER,
  expires_at REAL,
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation, at, key);
CREATE INDEX messages_by_unread ON messages (conversation, at, key) WHERE unread IS NOT NULL;
CREATE INDEX messages_by_expiry ON messages (expires_at, key) WHERE expires_at IS NOT NULL;

CREATE TABLE conversations (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (seq INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
CREATE TABLE seen (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE early (key TEXT PRIMARY KEY, at REAL NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX early_by_time ON early (at);
CREATE TABLE amendments (key TEXT PRIMARY KEY, at REAL NOT NULL, sealed BLOB NOT NULL) STRICT;
CREATE INDEX amendments_by_time ON amendments (at);
CREATE TABLE sent (key TEXT PRIMARY KEY, at REAL NOT NULL, sealed BLOB NOT NULL) STRICT;
CREATE INDEX sent_by_time ON sent (at);

CREATE TABLE streams (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE search (seq INTEGER PRIMARY KEY AUTOINCREMENT, sealed BLOB NOT NULL) STRICT;

CREATE TABLE chunks (key TEXT PRIMARY KEY, file TEXT NOT NULL, orphan_at REAL, data BLOB NOT NULL) STRICT;
CREATE INDEX chunks_by_file ON chunks (file, key);
CREATE INDEX chunks_by_orphan ON chunks (orphan_at, key) WHERE orphan_at IS NOT NULL;

CREATE TABLE arrivals (seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, conversation TEXT NOT NULL, at REAL NOT NULL) STRICT;
CREATE INDEX arrivals_by_time ON arrivals (at, seq);

CREATE TABLE meta (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
`;

const PAIRS_SCHEMA = "CREATE TABLE pairs (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;";

const ANSWERS_SCHEMA = `
ALTER TABLE messages ADD COLUMN answers TEXT;
CREATE INDEX messages_by_answered ON messages (answers, key) WHERE answers IS NOT NULL;
`;

/**
 * The database of messages: "PRLT". Version 1: a record watches over the others; who does not know it must not write. 2: pairs, the same.
 * 3: which messages answer another one.
 */
export const MESSAGES_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_54,
  initialSchema: INITIAL_SCHEMA,
  migrations: [
    { version: 1, up: (): void => undefined },
    { version: 2, up: (database): void => void database.exec(PAIRS_SCHEMA) },
    { version: 3, up: (database): void => void database.exec(ANSWERS_SCHEMA) },
  ],
};
