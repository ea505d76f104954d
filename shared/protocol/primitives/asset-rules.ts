// What the native contracts take: ids, names, symbols. The contracts check it, and forms before anything is paid.
import { utf8 } from "#shared/util/bytes.ts";
import { countCodePoints, isPrintable } from "./printable.ts";

/** Most digits of a token after the point. */
export const MAX_TOKEN_DECIMALS = 18;
/** Longest name of a token or NFT, Unicode code points. */
export const MAX_ASSET_NAME_CHARS = 64;
/** Longest metadata of an NFT, UTF-8 bytes. */
export const MAX_METADATA_BYTES = 4_096;
/** Longest time until the deadline of an escrow deal, seconds. */
export const MAX_DEAL_S = 31_536_000;

const ASSET_ID = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const SYMBOL = /^[A-Za-z0-9]{1,12}$/;
const DEAL_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** True for an id that a token or an NFT may have. */
export function isAssetId(id: string): boolean {
  return ASSET_ID.test(id);
}

/** True for a name that a token or an NFT may have. */
export function isAssetName(name: string): boolean {
  return name !== "" && countCodePoints(name) <= MAX_ASSET_NAME_CHARS && isPrintable(name);
}

/** True for a symbol that a token may have. */
export function isTokenSymbol(symbol: string): boolean {
  return SYMBOL.test(symbol);
}

/** True for metadata that an NFT may have. */
export function isNftMetadata(metadata: string): boolean {
  return utf8(metadata).length <= MAX_METADATA_BYTES;
}

/** True for an id that an escrow deal may have. */
export function isDealId(id: string): boolean {
  return DEAL_ID.test(id);
}
