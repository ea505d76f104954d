// Limits of connections of programs. docs/limits.md lists them with their reasons.

/** Connections of one profile that have not ended. */
export const MAX_CONNECTIONS = 16;
/** Longest name of a program, Unicode code points. */
export const MAX_APP_NAME_CHARS = 32;
/** Longest reason of a request, Unicode code points. */
export const MAX_REASON_CHARS = 200;
/** Scopes of one connection. */
export const MAX_SCOPES = 16;
/** Recipients of one scope. */
export const MAX_RECIPIENTS = 32;
/** Methods of one scope. */
export const MAX_SCOPE_METHODS = 16;
/** People and groups that one connection may know of. */
export const MAX_CHOSEN = 32;
/** People and groups that the approval window offers to choose from. */
export const MAX_OFFERED_PEOPLE = 512;
/** One scope as a text, characters. */
export const MAX_SCOPE_CHARS = 2_600;
/** All scopes of a connection in their normal form, characters: sixteen connections fit into a file of 64 KiB. */
export const MAX_GRANT_CHARS = 2_600;
/** Messages a day that a scope can allow. */
export const MAX_MESSAGE_RATE = 500;

/** A request waits this long for the person. */
export const REQUEST_MS = 600_000;
/** How long after the grant a program may take to use its token for the first time: whose is lost ends by itself. */
export const UNUSED_MS = 600_000;
/** Requests of all programs in an hour. */
export const MAX_REQUESTS_PER_HOUR = 5;
/** Wrong numbers typed for one request; then it is refused. */
export const MAX_CODE_TRIES = 3;
/** How long a connection lives unless the person chooses otherwise. */
export const DEFAULT_CONNECTION_DAYS = 30;
/** Longest life of a connection. */
export const MAX_CONNECTION_DAYS = 365;
/** Connections that have ended and are remembered by name. */
export const MAX_ENDED = 32;
/** Earlier tokens of a connection that end it when they are used. */
export const MAX_EARLIER_TOKENS = 4;
/** How long the old token is good after a new one was fetched. */
export const ROTATION_OVERLAP_MS = 60_000;

/** New tokens of one connection in a day, by its clock: each is written to the disk. */
export const MAX_ROTATIONS_PER_DAY = 8;

/** A question about one payment waits this long. */
export const APPROVAL_MS = 300_000;
/** An order waits so long for the wallet, and the person is shown that one does. */
export const WALLET_WAIT_MS = 3_600_000;
/** Questions of one connection that wait. */
export const MAX_APPROVALS_PER_APP = 3;
/** Questions of all connections that wait. */
export const MAX_APPROVALS = 10;
/** Refusals in a row that silence a connection. */
export const REFUSALS_TO_SILENCE = 2;
/** How long it is silenced. */
export const SILENCE_MS = 3_600_000;

/** The clock may be this far behind what was seen of it before every order asks. */
export const MAX_CLOCK_BACK_MS = 86_400_000;

/** Parts of a rolling period. */
export const PERIOD_PARTS = 24;
/** `not_after` lies at most this far ahead of the chain's time. */
export const MAX_NOT_AFTER_MS = 86_400_000;
/** How long a key is known with what came of it. */
export const KEY_KEPT_MS = 3_024_000_000;
/** How long a message's line stays at least: as long as its day counts and its program may give it again. */
export const MESSAGE_KEPT_MS = 172_800_000;
/** Keys of one connection in that time. Those of messages are bounded by their number a day. */
export const MAX_KEYS_PER_APP = 2_048;
/** Shortest idempotency key, characters. */
export const MIN_KEY_CHARS = 16;
/** Longest idempotency key, characters. */
export const MAX_KEY_CHARS = 64;
/** Size of the journal from which its oldest lines are dropped, bytes. */
export const MAX_JOURNAL_BYTES = 10_485_760;
/** Room that dropping the oldest lines makes, bytes. */
export const JOURNAL_SPARE_BYTES = 1_048_576;
/** Age from which a line of the journal is dropped. */
export const MAX_JOURNAL_AGE_MS = 31_536_000_000;
/** Lines in one page of the journal. */
export const MAX_JOURNAL_PAGE = 200;
/** How long after a payment of a program came into a block it may still leave a receipt in its chat. */
export const RECEIPT_MS = 172_800_000;
/** Such payments in one answer. */
export const MAX_PAID_ORDERS = 200;
/** Entries in one page of the history that a program reads. */
export const MAX_HISTORY_ENTRIES = 200;
/** Own transactions in one message of the history. */
export const MAX_HISTORY_PAGE = 1_000;
/** Requests of the gateway that wait at the same time. */
export const MAX_PENDING_APP_REQUESTS = 256;

/** Arrivals in one page. */
export const MAX_ARRIVALS_PAGE = 200;
