// Limits and constants of the protocol. docs/limits.md lists them with their reasons.

/** µT in one T. */
export const UT_PER_T = 1_000_000;
/** Largest total supply and so largest amount, µT: every amount is a safe integer. */
export const MAX_SUPPLY_UT = Number.MAX_SAFE_INTEGER;
/** Smallest fee of a transaction, µT, until an UPGRADE changes it. */
export const MIN_FEE_UT = 1_000;
/** Largest value that an UPGRADE gives it, µT: no node can make programs offer more than this by itself. */
export const MOST_MIN_FEE_UT = 1_000_000;
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
/** Decoded bytes of a payload that the smallest fee pays for; each further one costs 1 µT, as every node stores it for good. */
export const FREE_PAYLOAD_BYTES = 4_096;
/** Largest decoded payload of a type that carries lists or arguments, bytes. */
export const LARGE_PAYLOAD_BYTES = 65_536;
/** Largest total of the encoded transactions of one block, bytes, until an UPGRADE changes it. */
export const MAX_BLOCK_BYTES = 2_097_152;
/** Most transactions of one block, until an UPGRADE changes it. */
export const MAX_BLOCK_TXS = 4_096;
/** Most transactions of a block that any network can have: what blocks are decoded with. */
export const MOST_BLOCK_TXS = 8_190;
/** Most headers that lead from a vote down to the height of another one in evidence: 40 kB of a payload. */
export const MAX_LINKED_HEADERS = 64;
/** Most pieces of evidence that a block is read with. The rules know no kind of evidence yet: a valid block has none. */
export const MAX_BLOCK_EVIDENCE = 100;
/** A timestamp must lie within this distance of the block's time, ms. */
export const TX_WINDOW_MS = 3_600_000;
/** Ids stay in the consensus state this long after their block's time, ms: no id can return while its timestamp is still valid. */
export const SEEN_WINDOW_MS = 7_200_000;
/** Most claims of one RELAY_PROOF. */
export const MAX_RELAY_CLAIMS = 100;
/** Longest address of a relay, UTF-8 bytes. */
export const MAX_MULTIADDR_BYTES = 256;
/** Heartbeats of a node count for its reputation at most once in this time, seconds of block time. */
export const HEARTBEAT_INTERVAL_S = 600;
/** Most validators of a set. */
export const MAX_VALIDATORS = 100;
/** An approval of a change of the validator set is forgotten after this time, seconds of block time. */
export const APPROVAL_LIFETIME_S = 604_800;
/** A bond is paid back at the earliest this long after its validator left, seconds of block time. */
export const UNBONDING_S = 1_814_400;
/** A punished validator cannot return before this time, seconds of block time. */
export const SLASH_BAN_S = 604_800;
/** A validator can replace its key once in so many blocks. */
export const ROTATION_BLOCKS = 1_000;
/** Blocks of which commits are counted before validators are set aside. */
export const DOWNTIME_BLOCKS = 1_000;
/** A validator that is missing from so many of these commits is set aside. */
export const DOWNTIME_MISSED = 950;
/** No validator is set aside when fewer than these would be left. */
export const LEAST_VALIDATORS = 4;
/** An offender loses its bond divided by this, and the reporter gets that divided by this again. */
export const SLASH_DIVISOR = 10;
/** A keeper has one digest of a slot in this time, seconds since 1970: digests of the same are of one version. */
export const DIGEST_VERSION_S = 600;
/** A suspended relay is no keeper for so long, seconds of block time. */
export const SUSPENSION_S = 2_592_000;
/** Digests that are older prove nothing, and votes are forgotten after it, seconds of block time: less than a suspension, so that none counts for two. */
export const LIE_LIFETIME_S = 604_800;
/** Longest life of a payment channel, seconds. */
export const MAX_CHANNEL_S = 31_536_000;
/** Gas that 1 µT buys. */
export const GAS_PER_UT = 1_000;
/** Gas limit of a call that names none. */
export const DEFAULT_GAS_LIMIT = 1_000_000;
/** Largest gas limit of a transaction. */
export const MAX_GAS_LIMIT = 100_000_000;
/** Most gas of one block, until an UPGRADE changes it. */
export const MAX_BLOCK_GAS = 100_000_000;
/** Largest WebAssembly module, bytes. */
export const MAX_WASM_BYTES = 262_144;
/** Longest ABI of a contract, UTF-8 bytes of its JSON. */
export const MAX_ABI_BYTES = 16_384;
/** Longest arguments of a call, UTF-8 bytes of their JSON. */
export const MAX_ARGUMENTS_BYTES = 16_384;
/** Longest result of a call, bytes. */
export const MAX_RESULT_BYTES = 16_384;
/** Contracts that call each other in one transaction, the first one included. */
export const MAX_CALL_DEPTH = 8;
/** Longest key of a contract's state, bytes. */
export const MAX_CONTRACT_KEY_BYTES = 256;
/** Longest value of a contract's state, bytes. */
export const MAX_CONTRACT_VALUE_BYTES = 16_384;
/** Most lines that one transaction logs. */
export const MAX_LOGS = 64;
/** Longest line of a log, UTF-8 bytes. */
export const MAX_LOG_BYTES = 1_024;
/** Longest value of an indexed field of an event, UTF-16 code units. */
export const MAX_INDEXED_CHARS = 96;
/** Price of a username, µT: attached to its registration and burnt. */
export const USERNAME_PRICE_UT = 10_000;
/** Shortest username, characters. */
export const MIN_USERNAME_CHARS = 4;
/** Longest username, characters. */
export const MAX_USERNAME_CHARS = 32;
/** Largest envelope, bytes of its canonical JSON. */
export const MAX_ENVELOPE_BYTES = 262_144;
/** Bytes of a NaCl nonce. */
export const NONCE_BYTES = 24;
/** Bytes that a NaCl box adds to the plaintext. */
export const BOX_OVERHEAD_BYTES = 16;
/** Protocol version of /api/well-known-version: what clients of the interface rely on. */
export const PROTOCOL_VERSION = 1;
/** Version of headers with which networks begin: what validators agree on. A chain that began with another version is another network. */
export const HEADER_VERSION = 2;
/** Versions whose headers and rules this program has: UPGRADE moves a network from one to the next. */
export const KNOWN_VERSIONS: readonly number[] = [HEADER_VERSION, 3, 4, 5, 6];
/** Version from which on validators can replace their keys. */
export const ROTATION_VERSION = 3;
/** Version from which on validators that are gone are set aside. */
export const DOWNTIME_VERSION = 3;
/** Version from which on the state counts the blocks that each key proposed. */
export const PROPOSED_VERSION = 4;
/** Version from which on relays can lock a bond, and the state says which of them keep mail. */
export const KEEPERS_VERSION = 5;
/** Version from which on validators can suspend a relay that signed two digests of one slot. */
export const SUSPENSION_VERSION = 6;
/** Largest version that an UPGRADE may name. */
export const MAX_VERSION = 65_535;
/** How long nodes that drop old blocks promise to have them, seconds, until an UPGRADE changes it. */
export const RETENTION_S = 1_814_400;
/** An approved UPGRADE is active this long after its approval at the earliest, seconds of block time. */
export const UPGRADE_DELAY_S = 86_400;
