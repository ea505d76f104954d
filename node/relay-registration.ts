// Keeps the node's relay announced on the chain with the fee of its configuration: at the start, or as soon as its account can pay for it.
import { readRelay } from "#node/ledger/node-records.ts";
import { readAccount } from "#node/ledger/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { formatAddress } from "#shared/protocol/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/amount.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/build-transaction.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import { MIN_FEE_UT } from "#shared/protocol/limits.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { StoredKey } from "./config/key-store.ts";
import type { Log } from "./observability/log.ts";

/** What a registration needs of its node. */
export interface RelayRegistrationOptions {
  readonly chainId: string;
  /** Ed25519 key of the node: the relay's identity. */
  readonly key: StoredKey;
  /** Key of the node's mailbox. */
  readonly relayPub: X25519KeyHex;
  /** What the relay asks for one message, µT. */
  readonly feePerMessageUt: AmountUt;
  /** Committed state, always the latest. */
  readonly state: StateReader;
  /** Submits like any client. @throws CodedError */
  readonly submit: (tx: Transaction) => Promise<unknown>;
  /** True while a submitted transaction waits for its block. */
  readonly isPending: (id: string) => boolean;
  /** Calls back after each block; returns the way to stop that. */
  readonly onCommit: (listener: () => void) => () => void;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** Announces the relay, after every block until the chain says so. Returns the way to stop. */
export function keepRelayRegistered(options: RelayRegistrationOptions): () => void {
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
      log.info({ relay: formatAddress(key.publicKey), fee: formatAmount(options.feePerMessageUt) }, "The relay is announced on the chain");
      stop();
      return;
    }
    if (submittedId !== undefined && isPending(submittedId)) return;
    if (readAccount(options.state, key.publicKey).balanceUt < MIN_FEE_UT) {
      const account = formatAddress(key.publicKey);
      warn({ account }, `The relay is not announced yet: pay at least ${formatAmount(MIN_FEE_UT)} to ${account}, the account of this node`);
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
  const { chainId, key, relayPub, feePerMessageUt, state, clock, random } = options;
  const multiaddr = readRelay(state, key.publicKey)?.multiaddr ?? "";
  const payload = { x25519_pub_key: relayPub, fee_per_msg_ut: feePerMessageUt, ...(multiaddr === "" ? {} : { multiaddr }) };
  const draft = { type: "REGISTER_RELAY", from: key.publicKey, payload } as const;
  return signTransaction(buildTransaction(draft, { chainId, nowMs: clock.nowMs(), random }), key.secret);
}
