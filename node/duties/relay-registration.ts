// Keeps the node's relay announced on the chain with the fee of its configuration: at the start, or as soon as its account can pay for it.
import { readRelay } from "#node/ledger/records/node-records.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { canPayFee, type DutyContext, leastFeeOf, ownTransaction } from "./duty-context.ts";

/** What a registration needs of its node. */
export interface RelayRegistrationOptions extends DutyContext {
  /** Key of the node's mailbox. */
  readonly relayPub: X25519KeyHex;
  /** What the relay asks for one message, µT. */
  readonly feePerMessageUt: AmountUt;
}

/** Announces the relay, after every block until the chain says so. Returns the way to stop. */
export function maintainRelayRegistration(options: RelayRegistrationOptions): () => void {
  const { key, log, onCommit, isPending, submit } = options;
  let submittedId: string | undefined;
  let hasWarned = false;
  let stop: () => void = () => undefined;
  const warn = (fields: object, message: string): void => {
    if (!hasWarned) log.warn(fields, message);
    hasWarned = true;
  };
  const attempt = (): void => {
    if (isRegistered(options)) {
      log.info({ relay: formatAddress(key.publicKey), fee: formatAmount(options.feePerMessageUt) }, "The relay is registered on the chain");
      stop();
      return;
    }
    if (submittedId !== undefined && isPending(submittedId)) return;
    if (!canPayFee(options)) {
      const account = formatAddress(key.publicKey);
      warn(
        { account },
        `The relay is not announced yet: pay at least ${formatAmount(leastFeeOf(options))} to ${account}, the account of this node`,
      );
      return;
    }
    const tx = registration(options);
    submittedId = tx.id;
    submit(tx).catch((error: unknown) => warn({ err: error }, "The relay could not be announced; it is tried again after the next block"));
  };
  stop = onCommit(attempt);
  attempt();
  return () => stop();
}

function isRegistered({ state, key, relayPub, feePerMessageUt }: RelayRegistrationOptions): boolean {
  const relay = readRelay(state, key.publicKey);
  return relay?.x25519Pub === relayPub && relay.feePerMessageUt === feePerMessageUt;
}

/** Where other nodes reach it stays what it announced before. */
function registration(options: RelayRegistrationOptions): Transaction {
  const { key, relayPub, feePerMessageUt, state } = options;
  const multiaddr = readRelay(state, key.publicKey)?.multiaddr ?? "";
  const payload = { x25519_pub_key: relayPub, fee_per_msg_ut: feePerMessageUt, ...(multiaddr === "" ? {} : { multiaddr }) };
  return ownTransaction(options, { type: "REGISTER_RELAY", payload });
}
