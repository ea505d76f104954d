// Whom an account has paid, from its own history on the chain: the base of recent recipients, of the first-time mark and of the
// look-alike check. Only payments that one made oneself count, never what others sent.
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { unlessUnknown } from "../node/queries.ts";

/** Largest page that the node gives. */
const PAGE = 1_000;
/** Pages that are read at most: a hundred thousand transactions. */
const MAX_PAGES = 100;
/** What leads to a person: only transfers count as payments, the fee of a contact request does not. */
const PAYMENT = "TRANSFER";
const KNOWING: ReadonlySet<string> = new Set([PAYMENT, "CONTACT_REQUEST"]);

export interface PaidPerson {
  readonly publicKey: PublicKeyHex;
  /** When money last went to them, with a contact request too. */
  readonly lastPaidAt: string;
  /** Payments; 0 for those who only got a contact request. */
  readonly count: number;
}

/** All people that were paid, latest first. */
export interface PaidPeople {
  readonly people: readonly PaidPerson[];
  /** Entries of the history that were counted, so that the next reading stops there. */
  readonly entriesRead: number;
}

/** No one yet. */
export const NOBODY_PAID: PaidPeople = { people: [], entriesRead: 0 };

/** Reads what is new in the history since an earlier reading. */
export async function readPaidPeople(
  client: Pick<NodeClient, "getAddress">,
  account: PublicKeyHex,
  earlier: PaidPeople,
  call: CallOptions,
): Promise<PaidPeople> {
  const entries: TransactionEntry[] = [];
  let total = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await unlessUnknown(client.getAddress({ addr: account, limit: PAGE, offset: page * PAGE }, call));
    if (response === undefined) break;
    if (page === 0) total = response.tx_count;
    entries.push(...response.transactions);
    if (!response.has_more || entries.length >= total - earlier.entriesRead) break;
  }
  const isContinued = total >= earlier.entriesRead;
  const fresh = isContinued ? entries.slice(0, total - earlier.entriesRead) : entries;
  return { people: mergePaid(isContinued ? earlier.people : [], paidIn(fresh, account)), entriesRead: total };
}

/** Payments of an account among history entries, newest first. */
export function paidIn(entries: readonly TransactionEntry[], account: PublicKeyHex): readonly PaidPerson[] {
  const payments = entries.filter(
    ({ type, from, to, status }) => KNOWING.has(type) && from === account && to !== account && to !== "" && status === "ok",
  );
  return mergePaid(
    [],
    payments.map(({ type, to, time }) => ({ publicKey: to, lastPaidAt: time, count: type === PAYMENT ? 1 : 0 })),
  );
}

function mergePaid(earlier: readonly PaidPerson[], later: readonly PaidPerson[]): readonly PaidPerson[] {
  const byKey = new Map<PublicKeyHex, PaidPerson>();
  for (const person of [...later, ...earlier]) {
    const known = byKey.get(person.publicKey);
    byKey.set(person.publicKey, known === undefined ? person : { ...known, count: known.count + person.count });
  }
  return [...byKey.values()];
}
