// Mailboxes of a node and of a gateway in this process, without an interface: what storing and listing cost there.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { createRelay } from "#node/relay/relay.ts";
import { MAILBOX_FILE, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { listMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { runStatement, startTestPostgres } from "../../support/postgres/test-postgres.ts";

const CHAIN_ID = "parley-bench";
const SOURCE = { party: "bench", tag: "" };
/** Far from every mailbox that has a row of its own. */
const NUMBERS_APART = 1_000_000_007;
const SHARED = { chainId: CHAIN_ID, clock: systemClock, random: systemRandom, verify: createNativeVerifier() };

/** Mailboxes. */
export interface MailStore extends AsyncDisposable {
  /** Durable once it resolves; all in one transaction. */
  store(envelopes: readonly Envelope[]): Promise<void>;
  list(recipientPub: string, limit: number): Promise<number>;
  /** Makes so many copies of each envelope, in mailboxes of no one. */
  fill(copies: number): Promise<void>;
}

/** The mailbox of a node in a folder. */
export async function openSqliteMail(folder: string): Promise<MailStore> {
  const store = openMailbox(folder);
  const relay = createRelay({ ...SHARED, secretKey: randomBytes(32), store, limits: MAILBOX_LIMITS });
  return {
    async store(envelopes): Promise<void> {
      await relay.receive(envelopes, SOURCE);
    },
    // The relay remembers lists that were asked for lately.
    list: async (recipientPub, limit) => store.listText({ recipientPub, limit, hidesDeleted: false }).count,
    async fill(copies): Promise<void> {
      using database = openWritable(folder);
      database.fill(copies);
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      relay.close();
      store.close();
    },
  };
}

function openWritable(folder: string): Disposable & { fill(copies: number): void } {
  const database = openSqliteDatabase(join(folder, MAILBOX_FILE), MAILBOX_DATABASE);
  return {
    fill(copies): void {
      const names = database.pragma("table_info(envelopes)") as readonly { readonly name: string }[];
      const columns = names.map(({ name }) => name).filter((name) => name !== "seq");
      const values = columns.map((name) => (name === "mailbox" ? `mailbox + n * ${NUMBERS_APART}` : name));
      database.exec(
        `INSERT INTO envelopes (${columns.join()}) WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${copies})
          SELECT ${values.join()} FROM c CROSS JOIN (SELECT * FROM envelopes)`,
      );
    },
    [Symbol.dispose]: (): void => void database.close(),
  };
}

/** Mailboxes over a PostgreSQL of their own. */
export async function openPostgresMail(): Promise<MailStore> {
  const server = await startTestPostgres({ isDurable: true });
  const address = await server.createDatabase();
  const database = openPostgres([address], () => undefined);
  const { mail, close } = await openGatewayMail({
    ...{ ...SHARED, database, timers: systemTimers, limits: MAILBOX_LIMITS, height: (): number => 1, postage: undefined },
    ...{ onGap: (): void => undefined, onError: (): void => undefined },
  });
  return {
    store: (envelopes) =>
      mail.receive({
        mail: envelopes.map((envelope) => ({ envelope, admission: undefined, source: SOURCE })),
        openings: [],
        deletions: [],
      }),
    // The gateway remembers them too.
    list: async (recipientPub, limit) => (await listMail(database, { recipientPub, limit, hidesDeleted: false })).count,
    async fill(copies): Promise<void> {
      const rows = await runStatement(
        address,
        "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'envelopes' ORDER BY ordinal_position",
      );
      const columns = rows.map(({ name }) => String(name));
      const values = columns.map((name) => (name === "mailbox" ? `e.mailbox + n * ${NUMBERS_APART}::bigint` : `e.${name}`));
      await runStatement(
        address,
        `INSERT INTO envelopes (${columns.join()}) SELECT ${values.join()} FROM envelopes e, generate_series(1, ${copies}) n`,
      );
      await runStatement(address, "VACUUM ANALYZE envelopes");
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await close();
      await database.close();
      await server.stop();
    },
  };
}
