// A connection as it is stored: what the person granted, and by what its program is recognised.
import type { Codec, TypeOf } from "#shared/codec/codec.ts";
import { list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytes, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { MAX_CHOSEN, MAX_CONNECTIONS, MAX_EARLIER_TOKENS, MAX_ENDED, MAX_RECIPIENTS, MAX_SCOPE_CHARS, MAX_SCOPES } from "../app-limits.ts";
import { MAX_CONNECTION_NUMBER, MAX_ORDER_NUMBER } from "../judging/payment-salt.ts";
import { formatScopes, parseScopes } from "../scopes/parse-scopes.ts";
import type { Scope } from "../scopes/scopes.ts";

const scopesCodec: Codec<readonly Scope[]> = mapped(list(textUpTo(4 * MAX_SCOPE_CHARS), MAX_SCOPES, 1), parseScopes, formatScopes);

const connectionCodec = map({
  /** 8 hex characters: in the token, and what the person's lists say. */
  id: hex(4),
  /** In salts and lines of the journal; never used again. */
  number: integer(1, MAX_CONNECTION_NUMBER),
  name: textUpTo(256, 1),
  tokenHash: bytes(32),
  /** Newest first; the first is good until that time of expiry. */
  earlierHashes: list(bytes(32), MAX_EARLIER_TOKENS),
  earlierUntilMs: integer(),
  scopes: scopesCodec,
  names: list(record({ name: textUpTo(64), key: hex(32) }), MAX_SCOPES * MAX_RECIPIENTS),
  /** Hex of keys of people and ids of groups. */
  chosen: list(textUpTo(64), MAX_CHOSEN),
  createdAtMs: integer(),
  /** Time of expiry, by both clocks as far as they were seen. */
  expiresMs: integer(),
  /** The same by clock and chain as they are, unix ms: a clock that was once far ahead lets none live longer. */
  endsAtClockMs: integer(),
  endsAtBlockMs: integer(),
  isResting: boolean,
  /** By expiry: until then its program has to use the token. Left out once it has, or where the person has taken it from the terminal. */
  unusedUntilMs: omissible(integer()),
  /** Number of its last order when this was written: the journal may know later ones. */
  lastOrder: integer(0, MAX_ORDER_NUMBER),
});

/** A connection that has not ended. */
export type AppConnection = TypeOf<typeof connectionCodec>;

const endedCodec = record({ id: hex(4), number: integer(1), name: textUpTo(256), tokenHash: bytes(32), endedAtMs: integer() });

/** What is left of one that has. */
export type EndedConnection = TypeOf<typeof endedCodec>;

/** Everything that is stored beside the journal. */
export const appsStateCodec = map({
  chainId: textUpTo(128, 1),
  /** Hash of the computer's id. */
  machine: textUpTo(128),
  clocks: record({ baseBlockMs: integer(), baseClockMs: integer(), highBlockMs: integer(), highClockMs: integer() }),
  height: integer(),
  nextNumber: integer(1, MAX_CONNECTION_NUMBER + 1),
  connections: list(connectionCodec, MAX_CONNECTIONS),
  ended: list(endedCodec, MAX_ENDED),
  /** Last line of the journal when this was written; null before the first. */
  journal: nullable(record({ n: integer(1), hash: bytes(32) })),
});

export type AppsStored = TypeOf<typeof appsStateCodec>;
