// All attacks of `npm run siege`, in the order of its table.
import type { Attack } from "./attack.ts";
import { CONNECTION_ATTACKS } from "./attacks/connections.ts";
import { BLOCK_ATTACKS } from "./attacks/false-blocks.ts";
import { LIGHT_ATTACKS } from "./attacks/false-sets.ts";
import { CLIENT_ATTACKS } from "./attacks/hostile-clients.ts";
import { VALIDATOR_ATTACKS } from "./attacks/hostile-validator.ts";
import { MAIL_FLOOD_ATTACKS } from "./attacks/mail-flood.ts";
import { MAIL_REQUEST_ATTACKS } from "./attacks/mail-requests.ts";
import { MAIL_STREAM_ATTACKS } from "./attacks/mail-streams.ts";
import { MAILBOX_ATTACKS } from "./attacks/mailboxes.ts";
import { MALFORMED_ATTACKS } from "./attacks/malformed.ts";
import { SNAPSHOT_ATTACKS } from "./attacks/snapshots.ts";
import { READER_ATTACKS } from "./attacks/stalled-readers.ts";
import { TRANSACTION_ATTACKS } from "./attacks/transactions.ts";

export const ATTACKS: readonly Attack[] = [
  ...BLOCK_ATTACKS,
  ...TRANSACTION_ATTACKS,
  ...MALFORMED_ATTACKS,
  ...MAILBOX_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...READER_ATTACKS,
  ...LIGHT_ATTACKS,
  ...VALIDATOR_ATTACKS,
  ...CLIENT_ATTACKS,
  ...MAIL_REQUEST_ATTACKS,
  ...MAIL_STREAM_ATTACKS,
  ...MAIL_FLOOD_ATTACKS,
  ...SNAPSHOT_ATTACKS,
];

/** An attack by its name. @throws Error naming all of them. */
export function attackNamed(name: string): Attack {
  const attack = ATTACKS.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`There is no attack "${name}": ${ATTACKS.map((one) => one.name).join(", ")}`);
  return attack;
}
