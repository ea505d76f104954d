// Who brings mail, as it is counted: networks of clients and of nodes, and how much each may bring on a day.
import { parseIp, subnetOf } from "#node/network/addresses/ip-address.ts";
import type { PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MailboxLimits } from "./mailbox-limits.ts";

/** A count of bytes that begins again each day. */
export interface DayLedger {
  readonly party: string;
  /** Bytes of a day. */
  readonly most: number;
  readonly of: "messages" | "files";
}

/** What is known of an envelope that may be over a quota. */
export interface Counted {
  readonly source: MailSource;
  /** True for a client that may hand in so much a day. */
  readonly isLimited: boolean;
  /** The ledger of the node that brought it, where that may bring so much a day. */
  readonly ofNode?: Pick<DayLedger, "party" | "most"> | undefined;
}

const DAY_S = 86_400;

/** What a node brings counts as its network's (/24, /48), where its address counts, else as its own. */
export function nodeSource(network: Pick<PeerNetwork, "partyOf"> | undefined, peer: PeerName): MailSource {
  const name = network?.partyOf(peer).name ?? peer;
  const [address = ""] = name.split("/");
  const ip = parseIp(address);
  return { party: `node ${ip === undefined ? name : subnetOf(ip)}`, tag: "" };
}

/** Ledgers that an envelope of so many bytes counts in. Mail to open boxes has its own: mail to strangers takes nothing of it. */
export function dayLedgersOf(
  { source: { party }, isLimited, ofNode }: Counted,
  isOpen: boolean,
  { bytes, limits }: { readonly bytes: number; readonly limits: MailboxLimits },
): readonly DayLedger[] {
  const name = (counted: string): string => (isOpen ? `open ${counted}` : counted);
  if (ofNode !== undefined) return [{ party: name(ofNode.party), most: ofNode.most, of: "messages" }];
  if (!isLimited) return [];
  const messages: DayLedger = { party: name(party), most: limits.sourceDayBytes, of: "messages" };
  if (bytes <= limits.largeEnvelopeBytes) return [messages];
  return [{ party: `large ${name(party)}`, most: limits.sourceDayLargeBytes, of: "files" }, messages];
}

/** The refusal of what is more than a ledger takes on this day. */
export function overDay({ most, of }: DayLedger, atSec: number): CodedError {
  return new CodedError("RATE_LIMITED", `More than ${most} bytes of ${of} from this network today: send on tomorrow`, {
    details: { retryAfterS: (Math.floor(atSec / DAY_S) + 1) * DAY_S - atSec },
  });
}

/** The refusal of what finds no room for as long as others, or its own source, have it. */
export function noRoom(message: string): CodedError {
  return new CodedError("RELAY_FULL", message, { details: { isLasting: true } });
}

/** True for a refusal of {@link noRoom}; other ones for want of room end in a moment, or are of all mail. */
export function isLasting({ details }: CodedError): boolean {
  return details.isLasting === true;
}
