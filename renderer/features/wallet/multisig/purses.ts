// Multisigs: contracts with the interface of the library's multisig, read by their views.
import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { createLanes } from "#renderer/lib/node/lists/in-lanes.ts";
import { query } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, isAmount } from "#shared/protocol/primitives/amount.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { isSameContract } from "./same-code.ts";

/** Open proposals of one that are read. */
const MAX_PROPOSALS = 20;
/** Lines of its log from which they are known. */
const LINES = 100;
const MAX_LINE_PAGES = 5;
export const MAX_MEMBERS = 32;
/** Gas of one view, and views under way at once: together less than half of what a node lets an address use for nothing. */
const VIEW_GAS = 4_000_000;
const VIEWS_AT_ONCE = 8;

const inLane = createLanes(VIEWS_AT_ONCE);

/** A multisig. */
export interface Purse {
  readonly id: ContractId;
  readonly members: readonly PublicKeyHex[];
  /** Approvals that a proposal needs. */
  readonly needed: number;
  readonly balanceUt: AmountUt;
  /** False for code other than the one that this app deploys. */
  readonly isKnownCode: boolean;
}

/** Something that is proposed and not carried out. */
export interface Proposal {
  readonly id: number;
  readonly by: PublicKeyHex;
  readonly kind: "pay" | "call" | "members";
  /** Recipient or contract; "" for a change of members. */
  readonly to: string;
  /** µT, or the approvals that are needed then. */
  readonly amount: number;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Unix seconds. */
  readonly expires: number;
  readonly approvals: number;
  /** Who approved it, as far as its log was read. */
  readonly approvedBy: readonly PublicKeyHex[];
}

/** One multisig with all that is shown of it; null for a contract that is none. */
export function usePurse(id: ContractId): UseQueryResult<Purse | null> {
  const { client } = useNode();
  return useQuery(query([...queryKeys.contract(id), "multisig"], (call) => readPurse(client, id, call)));
}

/** Its open proposals, the newest first. */
export function useProposals(id: ContractId): UseQueryResult<readonly Proposal[]> {
  const { client } = useNode();
  return useQuery(query([...queryKeys.contract(id), "proposals"], (call) => readProposals(client, id, call)));
}

/** Multisigs among some contracts, to tell which ones exist. */
export function usePurses(ids: readonly ContractId[]): readonly UseQueryResult<Purse | null>[] {
  const { client } = useNode();
  return useQueries({ queries: ids.map((id) => query([...queryKeys.contract(id), "multisig"], (call) => readPurse(client, id, call))) });
}

async function readPurse(client: NodeClient, id: ContractId, call: CallOptions): Promise<Purse | null> {
  const multisig = await import("virtual:contracts/multisig");
  const [{ balance_ut: balanceUt, abi_json: abiJson }, members, needed, isKnownCode] = await Promise.all([
    client.getContract({ contractID: id }, call),
    readMembers(client, id, call),
    view(client, { contractID: id, method: "needed" }, call),
    isSameContract(client, id, multisig, call),
  ]);
  if (methodNames(JSON.parse(abiJson)) !== methodNames(JSON.parse(multisig.abiJson))) return null;
  if (members === null || typeof needed !== "number" || !Number.isSafeInteger(needed)) return null;
  return { id, members, needed, balanceUt, isKnownCode };
}

async function readProposals(client: NodeClient, id: ContractId, call: CallOptions): Promise<readonly Proposal[]> {
  const approvers = new Map<number, Set<PublicKeyHex>>();
  const executed = new Set<number>();
  for (const { name, proposal, by } of await readEvents(client, id, call)) {
    if (name === "Proposed") approvers.set(proposal, new Set());
    if (name === "Approved") approvers.get(proposal)?.add(by);
    if (name === "Revoked") approvers.get(proposal)?.delete(by);
    if (name === "Executed") executed.add(proposal);
  }
  const open = [...approvers.keys()].filter((number) => !executed.has(number)).sort((a, b) => b - a);
  const read = open.slice(0, MAX_PROPOSALS).map((number) => readProposal(client, id, { number, by: approvers.get(number) }, call));
  return (await Promise.all(read)).filter((proposal) => proposal !== undefined);
}

interface PurseEvent {
  readonly name: string;
  readonly proposal: number;
  readonly by: PublicKeyHex;
}

/** Events of proposals, oldest first. */
async function readEvents(client: NodeClient, contractID: ContractId, call: CallOptions): Promise<readonly PurseEvent[]> {
  const events: PurseEvent[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_LINE_PAGES; page += 1) {
    const { logs, next_after } = await client.listContractLogs(
      { contractID, limit: LINES, ...(after === undefined ? {} : { after }) },
      call,
    );
    for (const { message } of logs) {
      const event = eventOf(message);
      if (event !== undefined) events.push(event);
    }
    after = next_after;
    if (after === undefined) break;
  }
  return events.reverse();
}

function eventOf(line: string): PurseEvent | undefined {
  const { event, index } = objectOf(line);
  const { id, by } = typeof index === "object" && index !== null ? (index as Record<string, unknown>) : {};
  const proposal = Number(id);
  return typeof event === "string" && typeof by === "string" && Number.isSafeInteger(proposal) ? { name: event, proposal, by } : undefined;
}

async function readProposal(
  client: NodeClient,
  id: ContractId,
  { number, by: approvers }: { readonly number: number; readonly by: ReadonlySet<PublicKeyHex> | undefined },
  call: CallOptions,
): Promise<Proposal | undefined> {
  const [found, approvals] = await Promise.all([
    view(client, { contractID: id, method: "proposal", args: [number] }, call),
    view(client, { contractID: id, method: "approvals_of", args: [number] }, call),
  ]);
  if (typeof found !== "object" || found === null || typeof approvals !== "number") return undefined;
  const { by, kind, to, amount, method, args, expires } = found as Readonly<Record<string, unknown>>;
  if (typeof by !== "string" || (kind !== "pay" && kind !== "call" && kind !== "members")) return undefined;
  if (typeof to !== "string" || typeof method !== "string" || !isAmount(amount as number) || typeof expires !== "number") return undefined;
  const list = typeof args === "string" ? jsonOf(args) : args;
  if (!Array.isArray(list)) return undefined;
  if (kind === "members" ? list.length > MAX_MEMBERS || !list.every(isMember) : !isMember(to)) return undefined;
  return { id: number, by, kind, to, amount: amount as number, method, args: list, expires, approvals, approvedBy: [...(approvers ?? [])] };
}

/** Members of a contract with that interface; null for what is no list of members. */
export async function readMembers(client: NodeClient, id: ContractId, call: CallOptions): Promise<readonly PublicKeyHex[] | null> {
  const members = await view(client, { contractID: id, method: "members_now" }, call);
  const isList = Array.isArray(members) && members.length <= MAX_MEMBERS && members.every(isMember);
  return isList ? (members as readonly string[]) : null;
}

interface View {
  readonly contractID: ContractId;
  readonly method: string;
  readonly args?: readonly number[];
}

/** What a view returns, or undefined where it fails. */
async function view(client: NodeClient, { contractID, method, args = [] }: View, call: CallOptions): Promise<unknown> {
  const body = { method, args_json: JSON.stringify(args), gas_limit: VIEW_GAS };
  const { status, result_text: text } = await inLane(() => client.callView({ contractID, body }, call));
  return status === "ok" && text !== null ? jsonOf(text) : undefined;
}

/** What can be a member, or be paid: a key or a contract. Code that anyone deployed may say anything. */
function isMember(text: unknown): boolean {
  return typeof text === "string" && (isKey(text) || isContractId(text));
}

/** Keys among members; the others are contracts. */
export function isKey(member: string): boolean {
  return isAcceptablePublicKey(member);
}

/** Names of the methods of an interface. */
export function methodNames(abi: unknown): string {
  const { methods } = (abi ?? {}) as { readonly methods?: unknown };
  return Array.isArray(methods) ? methods.map(({ name }: { readonly name?: unknown }) => String(name)).join(" ") : "";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value = jsonOf(text);
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
