// Maps any failure to words: what happened, what to do next. The node's own sentence is used where it says more than we can.
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { PlainMessageKey, Translate } from "./catalogue.ts";

/** An error as the interface shows it. */
export interface ErrorWords {
  readonly title: string;
  readonly text: string;
  /** True when the same action may work a moment later. */
  readonly canRetry: boolean;
}

interface Entry {
  readonly title: PlainMessageKey;
  /** Absent: the error's own message is the text. */
  readonly text?: PlainMessageKey;
  readonly canRetry: boolean;
}

const OFFLINE: Entry = { title: "errors.offlineTitle", text: "errors.offline", canRetry: true };
const RATE: Entry = { title: "errors.rateLimitedTitle", text: "errors.rateLimited", canRetry: true };
const CLOCK: Entry = { title: "errors.clockTitle", text: "errors.clock", canRetry: true };
const SIGNATURE: Entry = { title: "errors.signatureTitle", text: "errors.signature", canRetry: true };
const BALANCE: Entry = { title: "errors.balanceTitle", text: "errors.balance", canRetry: false };
const DUPLICATE: Entry = { title: "errors.duplicateTitle", text: "errors.duplicate", canRetry: false };
const DECLINED: Entry = { title: "errors.notConfirmedTitle", text: "errors.notConfirmed", canRetry: true };
const REJECTED: Entry = { title: "errors.rejectedTitle", canRetry: false };
const SERVER: Entry = { title: "errors.serverTitle", text: "errors.server", canRetry: true };
const UNAVAILABLE: Entry = { title: "errors.unavailableTitle", text: "errors.unavailable", canRetry: true };

const BY_CODE: Partial<Readonly<Record<ErrorCode, Entry>>> = {
  RATE_LIMITED: RATE,
  UNAUTHORIZED: { title: "errors.unauthorizedTitle", text: "errors.unauthorized", canRetry: false },
  NOT_FOUND: { title: "errors.notFoundTitle", text: "errors.notFound", canRetry: false },
  HISTORY_PRUNED: { title: "errors.prunedTitle", text: "errors.pruned", canRetry: false },
  TX_TIMESTAMP: CLOCK,
  TX_SIGNATURE: SIGNATURE,
  TX_INSUFFICIENT_BALANCE: BALANCE,
  TX_DUPLICATE: DUPLICATE,
  MEMPOOL_FULL: UNAVAILABLE,
  LARGE_LIMIT: UNAVAILABLE,
  RELAY_FULL: UNAVAILABLE,
  UNAVAILABLE,
  UPSTREAM_FAILED: SERVER,
  INTERNAL: SERVER,
  KEYRING_LOCKED: { title: "errors.lockedTitle", text: "errors.locked", canRetry: true },
  PASSWORD_WEAK: { title: "errors.weakPasswordTitle", text: "errors.weakPassword", canRetry: true },
  PASSWORD_CHANGES_PENDING: { title: "settings.changesPendingTitle", text: "settings.changesPending", canRetry: true },
  PAYMENT_UNDER_WAY: { title: "errors.duplicateTitle", text: "payments.underWay", canRetry: false },
  SPENDING_LIMIT: { title: "spending.refusedTitle", text: "spending.over", canRetry: false },
  SPENDING_DELAY: { title: "spending.refusedTitle", text: "spending.delayed", canRetry: false },
  SPENDING_RECIPIENT: { title: "spending.refusedTitle", text: "spending.forbidden", canRetry: false },
  VAULT_WRONG_PASSWORD: { title: "errors.wrongPasswordTitle", text: "errors.wrongPassword", canRetry: true },
  VAULT_GUESS_DELAY: { title: "errors.guessDelayTitle", text: "errors.guessDelay", canRetry: true },
  CONFIRMATION_DECLINED: DECLINED,
  VAULT_CORRUPT: { title: "errors.vaultCorruptTitle", text: "errors.vaultCorrupt", canRetry: false },
  KEYCHAIN_FAILED: { title: "errors.keychainTitle", text: "errors.keychain", canRetry: true },
  PHRASE_MISSING: { title: "errors.phraseMissingTitle", text: "errors.phraseMissing", canRetry: false },
  LINK_CODE_INVALID: { title: "errors.linkCodeTitle", text: "errors.linkCode", canRetry: true },
  LINK_OTHER_NETWORK: { title: "errors.linkNetworkTitle", text: "errors.linkNetwork", canRetry: false },
  PHRASE_INVALID: { title: "errors.phraseTitle", text: "errors.phrase", canRetry: true },
};

/** Words for a failure of any kind. */
export function errorInWords(t: Translate, error: unknown): ErrorWords {
  const entry = entryOf(error);
  const own = error instanceof Error ? error.message : t("errors.unexpected");
  return { title: t(entry.title), text: entry.text === undefined ? own : t(entry.text), canRetry: entry.canRetry };
}

/** True when the node could not be reached at all. */
export function isOffline(error: unknown): boolean {
  return isCodedError(error, "UNAVAILABLE") && error.cause !== undefined;
}

function entryOf(error: unknown): Entry {
  if (isOffline(error)) return OFFLINE;
  // The shell's calls carry no codes but this one.
  if (error instanceof Error && error.message === "CONFIRMATION_DECLINED") return DECLINED;
  if (!isCodedError(error)) return { title: "errors.title", canRetry: true };
  return BY_CODE[error.code] ?? (error.status >= 500 ? SERVER : rejection(error));
}

/** A 400 carries no code over HTTP: the two texts that the interface promises are recognised, the rest is shown as it is. */
function rejection(error: CodedError): Entry {
  if (/\btimestamp\b/i.test(error.message)) return CLOCK;
  if (/\bsignature\b/i.test(error.message)) return SIGNATURE;
  return REJECTED;
}
