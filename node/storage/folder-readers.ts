// Reading from a data folder beside the node that uses it: the committed state, and the envelopes whose senders pay for their delivery.
import { join } from "node:path";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { Envelope } from "#shared/protocol/envelope.ts";
import { CHAIN_FILE } from "./chain-database.ts";
import { CHAIN_DATABASE } from "./chain-schema.ts";
import { MAILBOX_FILE } from "./mailbox-repository.ts";
import { MAILBOX_DATABASE } from "./mailbox-schema.ts";
import { openSqliteReader } from "./sqlite-database.ts";
import { StateRepository } from "./state-repository.ts";

/** What an envelope says of its fee. */
export type PaidEnvelope = Pick<Envelope, "id" | "recipient_pub" | "sender_ed25519_pub" | "fee_ut"> & { readonly fee_sig: string };

/** Runs reads of the committed state of a folder. @throws CodedError as every database of the folder. */
export function withCommittedState<T>(directory: string, work: (state: StateReader) => T): T {
  const database = openSqliteReader(join(directory, CHAIN_FILE), CHAIN_DATABASE);
  try {
    return work(new StateRepository(database));
  } finally {
    database.close();
  }
}

/** Envelopes of a folder's mailbox that carry a fee, in order of arrival. @throws CodedError as every database of the folder. */
export function readPaidEnvelopes(directory: string): readonly PaidEnvelope[] {
  const database = openSqliteReader(join(directory, MAILBOX_FILE), MAILBOX_DATABASE);
  try {
    const sql =
      "SELECT id, recipient_pub, sender_ed25519_pub, fee_ut, fee_sig FROM envelopes WHERE fee_ut > 0 AND fee_sig IS NOT NULL ORDER BY seq";
    return database.prepare<[], PaidEnvelope>(sql).all();
  } finally {
    database.close();
  }
}
