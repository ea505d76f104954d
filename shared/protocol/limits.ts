// Limits and constants of the protocol. docs/limits.md lists them with their reasons.

/** µT in one T. */
export const UT_PER_T = 1_000_000;
/** Largest total supply and so largest amount, µT: every amount is a safe integer. */
export const MAX_SUPPLY_UT = Number.MAX_SAFE_INTEGER;
/** Smallest fee of a transaction, µT. */
export const MIN_FEE_UT = 1_000;
/** Smallest amount of a contact request, µT. */
export const MIN_CONTACT_FEE_UT = 5_000;
/** Longest intro of a contact request, Unicode code points. */
export const MAX_INTRO_CHARS = 280;
/** Longest device name, UTF-8 bytes. */
export const MAX_DEVICE_NAME_BYTES = 64;
/** Longest nickname, UTF-8 bytes. */
export const MAX_NICKNAME_BYTES = 64;
/** Longest memo, UTF-8 bytes. */
export const MAX_MEMO_BYTES = 256;
/** Active devices of one master key. */
export const MAX_DEVICES = 32;
/** Longest transaction id, characters. */
export const MAX_TX_ID_CHARS = 128;
/** Largest decoded payload of a transaction, bytes. */
export const MAX_PAYLOAD_BYTES = 1_048_576;
/** Deepest nesting of objects and lists in a payload. */
export const MAX_PAYLOAD_DEPTH = 8;
/** Largest decoded payload of a type that names no other limit, bytes. */
export const DEFAULT_PAYLOAD_BYTES = 4_096;
/** Largest total of the encoded transactions of one block, bytes. */
export const MAX_BLOCK_BYTES = 2_097_152;
/** Most transactions of one block. */
export const MAX_BLOCK_TXS = 4_096;
/** A timestamp must lie within this distance of the block's time, ms. */
export const TX_WINDOW_MS = 3_600_000;
/** Ids stay in the consensus state this long after their block's time, ms: no id can return while its timestamp is still valid. */
export const SEEN_WINDOW_MS = 7_200_000;
/** Largest envelope, bytes of its canonical JSON. */
export const MAX_ENVELOPE_BYTES = 262_144;
/** Bytes of a NaCl nonce. */
export const NONCE_BYTES = 24;
/** Bytes that a NaCl box adds to the plaintext. */
export const BOX_OVERHEAD_BYTES = 16;
/** Protocol version of headers and of /api/well-known-version. */
export const PROTOCOL_VERSION = 1;
