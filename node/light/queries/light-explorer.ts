// Blocks, transactions, accounts and the validator set for a light node: proven, but for totals and charts, which are unverified.
import { AddressCache } from "#node/explorer/address-cache.ts";
import { chainTransaction, transactionEntry } from "#node/explorer/queries/explorer-queries.ts";
import { contactKey, readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import { compareContactPositions, formatContactCursor, parseContactCursor } from "#node/queries/contact-cursor.ts";
import type { AccountHistory, ExplorerQueries, HistoryRange, ListOf, ListPage } from "#node/queries/read-queries.ts";
import type { AbsentValidator, NetworkStats, ValidatorProposal } from "#shared/api/schemas/chain.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { VALIDATOR_ACTION_CODES } from "#shared/protocol/transactions/authorisations.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";
import type { StateKey } from "../light-source.ts";
import type { Hints } from "../reads/hints.ts";
import { readUnverified, requireUnverified } from "../reads/unverified-reads.ts";
import type { LightReader } from "./light-reader.ts";

/** Length up to which a whole history is looked through for contacts; those of longer ones are a peer's, unverified. */
const SHORT_HISTORY = 64;

type Page = Parameters<ExplorerQueries["validatorProposals"]>[0];

/** Queries of the explorer through a light node's reads. */
export function createLightExplorer(reader: LightReader): ExplorerQueries {
  const { source } = reader.reads;
  const named = { addresses: new AddressCache() };
  return {
    netStats: () => netStats(reader),
    listBlocks: (page) => reader.ask(({ explorer }) => explorer.listBlocks(page)),
    getBlock: (height) => reader.ask(({ explorer }) => explorer.getBlock(height)),
    getBlockByHash: (hash) => reader.ask(({ explorer }) => explorer.getBlockByHash(hash)),
    recentTransactions: (limit) => reader.ask(({ explorer }) => explorer.recentTransactions(limit)),
    getTransaction: async (id) => reader.ask(({ explorer }) => explorer.getTransaction(id), await rewardHints(reader, id)),
    chainTransaction: async (id) => reader.ask(({ explorer }) => explorer.chainTransaction(id), await rewardHints(reader, id)),
    accountHistory: async (account, page): Promise<AccountHistory> => {
      const { balanceUt } = await accountOf(reader, account);
      const { count, entries } = await reader.histories.page(account, page);
      return { balanceUt, txCount: count, transactions: entries.map((entry) => transactionEntry(named, entry)), missingBelow: 0 };
    },
    accountFeed: async (account, range: HistoryRange) =>
      (await reader.histories.range(account, range)).map((entry) => chainTransaction(named, entry)),
    identity: (masterPub) => reader.ask(({ explorer }) => explorer.identity(masterPub)),
    deviceList: (masterPub) => reader.ask(({ explorer }) => explorer.deviceList(masterPub)),
    contactsOf: async (recipient, page): Promise<ListOf<ContactInfo>> => {
      const { withBlocks, ...where } = page;
      const include = withBlocks === true ? ({ include: "blocks" } as const) : {};
      const unverified = await requireUnverified(source, "listContacts", { pub: recipient, ...where, ...include });
      const others = new Set([...unverified.contacts.map((contact) => contact.requester_pub), ...(await counterparts(reader, recipient))]);
      const records = [...others].map((requester) => contactStateKey(recipient, requester));
      const proven = await reader.ask(({ explorer }) => explorer.contactsOf(recipient, page), { records });
      return untilPageEnds(proven, page, unverified.next_after);
    },
    contactsRequestedBy: async (requester, page): Promise<ListOf<SentContactInfo>> => {
      const unverified = await requireUnverified(source, "listSentContacts", { pub: requester, ...page });
      const others = new Set([...unverified.contacts.map((contact) => contact.recipient_pub), ...(await counterparts(reader, requester))]);
      const proven = await reader.ask(({ explorer }) => explorer.contactsRequestedBy(requester, page), { recipients: [...others].sort() });
      return untilPageEnds(proven, page, unverified.next_after);
    },
    validators: () => reader.ask(({ explorer }) => explorer.validators()),
    setAside: () => setAside(reader),
    validatorProposals: (page) => validatorProposals(reader, page),
    parameters: (query) => reader.ask(({ explorer }) => explorer.parameters(query)),
    chart: ({ resolution, limit }) => requireUnverified(source, "getChart", { resolution, limit }),
  };
}

/** Height, supply and the size of the set are proven; the sums over all blocks are unverified. */
async function netStats({ reads }: LightReader): Promise<NetworkStats> {
  const stats = await requireUnverified(reads.source, "getNetstats", {});
  const proven = await reads.read(({ state }) => ({
    total_supply_ut: readSupply(state),
    validator_count: readValidators(state).length,
  }));
  return { ...stats, ...proven, height: reads.source.tip().header.height };
}

function accountOf({ reads }: LightReader, account: PublicKeyHex): Promise<ReturnType<typeof readAccount>> {
  return reads.read(({ state }) => readAccount(state, account));
}

/** Who got a reward, when the id is one of a reward. */
async function rewardHints({ histories }: LightReader, id: string): Promise<Hints> {
  const height = rewardHeight(id);
  const rewarded = height === undefined ? undefined : await histories.rewardedAt(height);
  return rewarded === undefined ? {} : { rewarded };
}

/** Every account with which this one had to do, when its history is short: then no peer can leave a contact out. */
async function counterparts(reader: LightReader, account: PublicKeyHex): Promise<readonly PublicKeyHex[]> {
  const { historyCount } = await accountOf(reader, account);
  if (historyCount === 0 || historyCount > SHORT_HISTORY) return [];
  const { entries } = await reader.histories.page(account, { limit: SHORT_HISTORY, offset: 0 });
  return entries.flatMap(({ from, to }) => [from, to]).filter((key) => key !== "" && key !== account);
}

/**
 * The proven contacts up to where this page ends: where the peer says that its own ends, or sooner. What lies beyond comes with the next
 * page; a peer that points back is not followed.
 */
function untilPageEnds<T extends Pick<ContactInfo, "created_at" | "tx_id">>(
  { items, next }: ListOf<T>,
  { after }: ListPage,
  peersNext: string | undefined,
): ListOf<T> {
  const start = after === undefined ? undefined : parseContactCursor(after);
  const ends = [next, peersNext]
    .flatMap((text) => (text === undefined ? [] : [parseContactCursor(text)]))
    .filter((end) => start === undefined || compareContactPositions(end, start) > 0)
    .sort(compareContactPositions);
  const end = ends[0];
  if (end === undefined) return { items, next: undefined };
  const isWithin = (item: T): boolean => compareContactPositions({ createdAt: item.created_at, txId: item.tx_id }, end) <= 0;
  return { items: items.filter(isWithin), next: formatContactCursor(end) };
}

function contactStateKey(recipient: PublicKeyHex, requester: PublicKeyHex): StateKey {
  return { namespace: "contact", key: contactKey(recipient, requester) };
}

/** A peer says which there are; each is proven. */
async function setAside({ reads: { source }, ask }: LightReader): Promise<readonly AbsentValidator[]> {
  const unverified = await readUnverified(source, "listValidators", {});
  const records = (unverified?.set_aside ?? []).map(({ pub_key }): StateKey => ({ namespace: "absence", key: fromHex(pub_key) }));
  return await ask(({ explorer }) => explorer.setAside(), { records });
}

async function validatorProposals({ reads: { source }, ask }: LightReader, page: Page): Promise<ListOf<ValidatorProposal>> {
  const unverified = await readUnverified(source, "listValidatorProposals", page);
  const records = (unverified?.proposals ?? []).map(
    ({ action, pub_key }): StateKey => ({
      namespace: "approval",
      key: concatBytes(Uint8Array.of(VALIDATOR_ACTION_CODES[action]), fromHex(pub_key)),
    }),
  );
  const { items } = await ask(({ explorer }) => explorer.validatorProposals(page), { records });
  return { items, next: unverified?.next_after };
}
