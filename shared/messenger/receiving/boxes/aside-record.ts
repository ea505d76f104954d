// Contents of devices that the chain does not list yet, as they are stored: what is known of each, and for how much there is room. What the
// person's key vouches for has room of its own, so mail that only claims to be theirs takes none of it. Pure.
import type { MessageId } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { RETENTION_MS } from "../../store/store-bounds.ts";

/** Contents that the key of their person vouches for, and the bytes of these: of one person, and of all. */
export const MAX_VOUCHED_OF_PERSON = 64;
export const MAX_VOUCHED_BYTES_OF_PERSON = 1_048_576;
export const MAX_VOUCHED = 512;
export const MAX_VOUCHED_BYTES = 4_194_304;
/** The same of those that only claim to be of a person: of one device, of what is claimed of one person, and of all. */
export const MAX_CLAIMED_OF_DEVICE = 8;
export const MAX_CLAIMED_BYTES_OF_DEVICE = 65_536;
export const MAX_CLAIMED_OF_PERSON = 16;
export const MAX_CLAIMED_BYTES_OF_PERSON = 262_144;
export const MAX_CLAIMED = 64;
export const MAX_CLAIMED_BYTES = 1_048_576;

/** A content that waits. */
export interface AsideItem {
  /** Id of its envelope. */
  readonly envelope: string;
  /** Id of the content: the same one may come again, in another envelope. */
  readonly id: MessageId;
  /** Whose it says it is, and the device that sealed it. */
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  /** A signature of the person's key, or a pair that is known, says that the device is theirs. */
  readonly isVouched: boolean;
  /** When it came, milliseconds since 1970: by the own clock, and by the chain's newest block where one was known. */
  readonly at: number;
  readonly blockAt?: number;
  readonly bytes: number;
}

/** A list with another content; `replaced` is the same content in an earlier envelope. */
export interface WithAside {
  readonly items: readonly AsideItem[];
  readonly replaced: string | undefined;
}

/**
 * A list with one more content: `known` where it is there already, undefined where there is no room. What came first stays.
 */
export function withAside(items: readonly AsideItem[], item: AsideItem): WithAside | "known" | undefined {
  const same = items.find(({ id, device }) => id === item.id && device === item.device);
  if (same !== undefined && (same.isVouched || !item.isVouched)) return "known";
  const others = items.filter((other) => other !== same);
  return hasRoom(others, item) ? { items: [...others, item], replaced: same?.envelope } : undefined;
}

/**
 * True for what has waited for so long by both clocks, milliseconds since 1970. The chain alone decides where the own clock says that it is yet
 * to come, as one of both times of the own clock is wrong then; without a block nothing is over.
 */
export function isOver(
  { at, blockAt = at }: Pick<AsideItem, "at" | "blockAt">,
  { nowMs, blockMs }: { readonly nowMs: number; readonly blockMs: number | undefined },
): boolean {
  if (blockMs === undefined || blockMs - blockAt < RETENTION_MS) return false;
  return nowMs < at || nowMs - at >= RETENTION_MS;
}

/** Name of what is stored of one. */
export function asideName(envelope: string): string {
  return `aside ${envelope}`;
}

function hasRoom(items: readonly AsideItem[], item: AsideItem): boolean {
  const alike = items.filter(({ isVouched }) => isVouched === item.isVouched);
  const ofPerson = alike.filter(({ from }) => from === item.from);
  if (item.isVouched)
    return fits(ofPerson, item, MAX_VOUCHED_OF_PERSON, MAX_VOUCHED_BYTES_OF_PERSON) && fits(alike, item, MAX_VOUCHED, MAX_VOUCHED_BYTES);
  const ofDevice = alike.filter(({ device }) => device === item.device);
  return (
    fits(ofDevice, item, MAX_CLAIMED_OF_DEVICE, MAX_CLAIMED_BYTES_OF_DEVICE) &&
    fits(ofPerson, item, MAX_CLAIMED_OF_PERSON, MAX_CLAIMED_BYTES_OF_PERSON) &&
    fits(alike, item, MAX_CLAIMED, MAX_CLAIMED_BYTES)
  );
}

function fits(items: readonly AsideItem[], { bytes }: AsideItem, most: number, mostBytes: number): boolean {
  return items.length < most && items.reduce((sum, other) => sum + other.bytes, bytes) <= mostBytes;
}
