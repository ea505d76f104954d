// Payments of chats as the local store knows them. What the chain says of them is not here.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { HeldPayment, MessageBody, StoredPayment } from "./message.ts";

/** Most payments that are signed and of which no node is known to have one. */
export const MAX_HELD_PAYMENTS = 32;
/** Key of the list of them. */
export const HELD_PAYMENTS_KEY = "held payments";

/** The payment by which one answers a request, from any own device: the latest one counts. */
export interface OwnPayment {
  readonly txId: string;
  readonly at: number;
}

/** What a stored message says of a payment. */
export interface PaymentFields {
  /** Of a request: who closed it, in the order of their keys. */
  readonly closedBy?: readonly PublicKeyHex[];
  /** Of a bill: the payments that people name for their shares, by their keys. */
  readonly shareClaims?: Readonly<Record<PublicKeyHex, readonly OwnPayment[]>>;
  /** Of a request to oneself, or a bill with an own share: the latest own payment for it. */
  readonly ownPayment?: OwnPayment;
  /** Of an own receipt: the payment, while no node is known to have it. */
  readonly held?: HeldPayment;
}

interface MessageFields extends PaymentFields {
  readonly body: MessageBody;
  readonly direction: "in" | "out";
}

/** What the interface of `me` sees of it; `author` wrote the message. */
export function storedPaymentOf(fields: PaymentFields, author: string, me: PublicKeyHex): StoredPayment | null {
  const { closedBy, ownPayment, held, shareClaims } = fields;
  if ([closedBy, ownPayment, held, shareClaims].every((field) => field === undefined)) return null;
  const closed = closedBy === undefined ? null : closedBy.includes(author) ? "cancelled" : "declined";
  const own = ownPaymentOf(fields, me);
  return { closed, ownTxId: own?.txId ?? null, ownPaidAt: own?.at ?? null, held: held ?? null, shareClaims: shareClaims ?? {} };
}

/** Id of the latest own payment for a request or a share, from any own device. */
export function ownTxIdOf(fields: PaymentFields, me: PublicKeyHex): string | null {
  return ownPaymentOf(fields, me)?.txId ?? null;
}

function ownPaymentOf({ ownPayment, shareClaims }: PaymentFields, me: PublicKeyHex): OwnPayment | undefined {
  return ownPayment ?? shareClaims?.[me]?.at(-1);
}

/** True where an own payment other than this one, its latest when it was signed here, has been made for a request or a share since. */
export function isPaidLater({ ownPayment, shareClaims }: PaymentFields, me: PublicKeyHex, txId: string): boolean {
  if (ownPayment === undefined) return false;
  return ownPayment.txId !== txId || (shareClaims?.[me] ?? []).some((claim) => claim.txId !== txId && claim.at > ownPayment.at);
}

/** The request with an own payment, or undefined where a later one is known. */
export function withOwnPayment<Record extends MessageFields>(record: Record, payment: OwnPayment): Record | undefined {
  const { body, direction, ownPayment: known } = record;
  if ((body.kind !== "pay.request" && body.kind !== "pay.split") || direction !== "in") return undefined;
  const isLater = known === undefined || payment.at > known.at || (payment.at === known.at && payment.txId > known.txId);
  return isLater ? { ...record, ownPayment: payment } : undefined;
}

/** The request without a payment that will never be on the chain. */
export function withoutOwnPayment<Record extends PaymentFields>(record: Record, txId: string): Omit<Record, "ownPayment"> | undefined {
  const { ownPayment, ...rest } = record;
  return ownPayment?.txId === txId ? rest : undefined;
}

/** True for a request of another person, between two, that has no own payment and was not closed. */
export function isOpenRequest({ body, direction, closedBy = [], ownPayment }: MessageFields): boolean {
  return body.kind === "pay.request" && direction === "in" && closedBy.length === 0 && ownPayment === undefined;
}

/** Most payments that one person names for a share. */
const MAX_SHARE_CLAIMS = 8;

/** The bill with a payment that a person names for their share; undefined where they have none, or it is known. */
export function withShareClaim<Record extends MessageFields>(record: Record, person: PublicKeyHex, claim: OwnPayment): Record | undefined {
  const { body, shareClaims = {} } = record;
  if (body.kind !== "pay.split" || !body.shares.some((share) => share.person === person)) return undefined;
  const known = shareClaims[person] ?? [];
  if (known.some(({ txId }) => txId === claim.txId)) return undefined;
  // By time and id, whatever came first: all devices hold the same.
  const all = [...known, claim].sort((a, b) => a.at - b.at || (a.txId < b.txId ? -1 : 1)).slice(0, MAX_SHARE_CLAIMS);
  return { ...record, shareClaims: { ...shareClaims, [person]: all } };
}

/** The request closed by a person, or undefined where it is not one, or was closed by them before. */
export function closedRequest<Record extends MessageFields>(record: Record, from: PublicKeyHex): Record | undefined {
  const { body, closedBy = [] } = record;
  if (body.kind !== "pay.request" || closedBy.includes(from)) return undefined;
  return { ...record, closedBy: [...closedBy, from].sort() };
}
