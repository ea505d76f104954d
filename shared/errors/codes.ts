// The table of error codes: HTTP status and one line for the documentation. docs/errors.md is made from it.

interface ErrorCodeEntry {
  readonly status: number;
  readonly meaning: string;
}

const entry = (status: number, meaning: string): ErrorCodeEntry => ({ status, meaning });

/** Every error code with the HTTP status it maps to. */
export const ERROR_CODES = {
  BAD_REQUEST: entry(400, "The request is malformed: the message names the field."),
  UNAUTHORIZED: entry(401, "The API token is missing or wrong."),
  FORBIDDEN: entry(403, "The Host or Origin is not allowed, or the proof of a key is missing."),
  NOT_FOUND: entry(404, "Nothing exists under that name."),
  HISTORY_PRUNED: entry(410, "The node does not hold blocks that old: ask one that holds all of them."),
  PAYLOAD_TOO_LARGE: entry(413, "The request body is too large."),
  UNSUPPORTED_MEDIA_TYPE: entry(415, "The endpoint does not accept this content type."),
  RATE_LIMITED: entry(429, "Too many requests from this address: wait and try again."),
  INTERNAL: entry(500, "The node failed; its log says why."),
  UPSTREAM_FAILED: entry(502, "An upstream server did not respond as expected."),
  BUSY: entry(503, "The node has too many large requests in progress: try again in a moment."),
  UNAVAILABLE: entry(503, "The node cannot serve this now: switched off, full or starting."),

  TX_MALFORMED: entry(400, "A field of the transaction has the wrong shape."),
  TX_ID_MISMATCH: entry(400, "An id that begins with tx1 is not the hash of the transaction."),
  TX_SIGNATURE: entry(400, "The signature does not verify over the canonical bytes."),
  TX_TIMESTAMP: entry(400, "The timestamp is outside one hour of the node's clock or the block's time."),
  TX_DUPLICATE: entry(400, "A transaction with this id is pending or committed."),
  TX_FEE_TOO_LOW: entry(400, "The fee is below the minimum."),
  TX_INSUFFICIENT_BALANCE: entry(400, "The sender cannot pay amount and fee."),
  TX_REJECTED: entry(400, "A rule of the transaction's type forbids it."),
  MEMPOOL_FULL: entry(503, "The pool of pending transactions is full and the fee does not displace another."),
  BLOCK_FULL: entry(503, "The block has no room for the gas limit of the transaction."),
  SENDER_LIMIT: entry(400, "The sender has too many pending transactions."),
  LARGE_LIMIT: entry(429, "Too many large transactions are pending and the fee does not displace another."),

  PAYMENT_UNDER_WAY: entry(409, "The request of a chat has a payment already, or a node may have this one."),

  ENVELOPE_INVALID: entry(400, "A field of the envelope has the wrong shape."),
  MAILBOX_FULL: entry(400, "The recipient's mailbox is full."),
  RELAY_FULL: entry(503, "The node's mailbox is full or switched off."),

  APP_TOKEN_INVALID: entry(401, "The token of a program is unknown or malformed."),
  APP_ENDED: entry(401, "The connection of the program has ended: ask again."),
  APP_FUNDS: entry(402, "The account cannot pay amount, fee and gas."),
  APP_SCOPE: entry(403, "The connection does not allow this at all."),
  APP_LIMIT: entry(403, "A limit of the connection forbids this, and it may not ask."),
  APP_DENIED: entry(403, "The person refused this, or did not respond in time."),
  APP_CODE_WRONG: entry(403, "The number is not the one that the program shows."),
  APP_KEY_REUSED: entry(409, "The idempotency key was used for another request."),
  APP_TOO_LATE: entry(410, "The time that the program set itself is over."),
  APP_LOCKED: entry(423, "Keyring or wallet is locked, or the connection rests until it is confirmed."),
  APP_SILENCED: entry(429, "The person refused twice: the program may ask again in an hour."),

  PASSWORD_WEAK: entry(400, "A new password is too short or too easy to guess."),
  PASSWORD_CHANGES_PENDING: entry(409, "Records still lie under keys of many former passwords: the messenger has to run first."),
  VAULT_WRONG_PASSWORD: entry(400, "Wrong password for the vault."),
  VAULT_CORRUPT: entry(500, "Both copies of the vault are damaged: restore from the recovery phrase."),
  VAULT_EXISTS: entry(400, "A vault already exists: unlock it, or reset its password with the recovery phrase."),
  KEYRING_LOCKED: entry(400, "The keyring is locked: unlock it first."),
  KEYCHAIN_FAILED: entry(400, "This computer's keychain cannot unlock the vault: use the password."),
  VAULT_GUESS_DELAY: entry(429, "Too many wrong passwords: wait before the next try."),
  CONFIRMATION_REQUIRED: entry(403, "This gives lasting power: it needs the password."),
  CONFIRMATION_DECLINED: entry(403, "This was not confirmed in Parley's own window."),
  SPENDING_LIMIT: entry(403, "This goes over the daily limit of the spending rules."),
  SPENDING_DELAY: entry(403, "The spending rules make this wait before it is signed."),
  SPENDING_RECIPIENT: entry(403, "The spending rules allow payments to chosen contacts alone."),
  PHRASE_MISSING: entry(400, "This device has no recovery phrase: add the phrase to sign, or use another device."),
  PHRASE_INVALID: entry(400, "The recovery phrase has a wrong word or checksum."),

  LINK_CODE_INVALID: entry(400, "The code for linking a device has a typo."),
  LINK_OTHER_NETWORK: entry(400, "The code for linking a device was made on another network."),

  BACKUP_WRONG_PASSWORD: entry(400, "Wrong password for the backup file."),
  BACKUP_DAMAGED: entry(400, "The file is not a backup, or it is damaged or incomplete."),
  BACKUP_FOREIGN: entry(400, "The backup file belongs to another identity or was made on another network."),

  NO_ENCRYPTION_KEY: entry(400, "The recipient has not published an encryption key yet."),
  DEVICE_NOT_PUBLISHED: entry(400, "The chain does not list this device yet, so recipients could not verify its messages."),
  DEVICE_SILENT: entry(400, "The recipient's device was silent too long: the message waits for a new short-lived key."),
  MESSENGER_UNAVAILABLE: entry(503, "The messenger is not running in this window."),
  LOCAL_STORE_FAILED: entry(500, "The local message store cannot be opened, read or written."),

  STORAGE_LOCKED: entry(500, "Another node uses the data folder."),
  STORAGE_FOREIGN: entry(500, "The data folder belongs to another network or program."),
  STORAGE_NEWER: entry(500, "The data folder was written by a newer version."),
  STORAGE_OLDER: entry(500, "The data folder was written by an older version."),
  STORAGE_CORRUPT: entry(500, "The database is damaged."),
  STORAGE_UNWRITABLE: entry(500, "The data folder cannot be read or written by this user."),
  VALIDATOR_UNSAFE: entry(500, "Voting could contradict what this key has already signed: validator mode is refused."),
  STORAGE_FULL: entry(500, "The disk is full."),
  STORAGE_FAILED: entry(500, "A file of the data folder could not be read or written."),
  ADDRESS_IN_USE: entry(500, "The port is taken by another program."),
  CONTRACT_NOT_VERIFIED: entry(400, "The source is not that of the contract: what differs is said before."),
  PROOF_INVALID: entry(400, "The file of a proof of payment proves nothing: the message says why."),
  CONTRACT_TESTS_FAILED: entry(400, "The tests of a contract failed: their report says which."),
  CONFIG_INVALID: entry(400, "A flag, variable or configuration value is wrong."),
  INVARIANT: entry(500, "A broken invariant: the process stops."),
} as const satisfies Record<string, ErrorCodeEntry>;

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES;
