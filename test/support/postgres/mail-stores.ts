// The mailboxes over which tests of the interface run: those of a node, and those of gateways over PostgreSQL.
import { afterAll } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { openGatewayMail } from "#node/gateway/public/open-gateway-mail.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { OpenWorldMail } from "../worlds/api-world.ts";
import { startTestPostgres, type TestPostgres } from "./test-postgres.ts";

/** A kind of mailbox by its name; undefined is the node's own. */
export type MailStoreKind = readonly [name: string, mail: OpenWorldMail | undefined];

/** To be called where a test file describes its tests: the server ends with them. */
export function mailStores(): readonly MailStoreKind[] {
  let server: Promise<TestPostgres> | undefined;
  afterAll(async () => {
    await (await server)?.stop();
  });
  const inPostgres: OpenWorldMail = async ({ chainId, clock, random, verify, limits = MAILBOX_LIMITS, postage }) => {
    server ??= startTestPostgres();
    const database = openPostgres([await (await server).createDatabase()], () => undefined);
    const { mail, close } = await openGatewayMail({
      database,
      chainId,
      clock,
      timers: systemTimers,
      random,
      verify,
      limits,
      height: () => 300,
      postage: postage && { ...postage, prepare: (): Promise<void> => Promise.resolve() },
      onGap: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    return {
      mail,
      async close(): Promise<void> {
        await close();
        await database.close();
      },
    };
  };
  return [
    ["SQLite", undefined],
    ["PostgreSQL", inPostgres],
  ];
}
