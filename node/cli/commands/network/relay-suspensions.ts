// parley relay lies, suspend and suspensions: what keepers were found to lie about, and the votes of validators by hand. A validator's node
// votes by itself; these are for one whose node cannot, and for who wants to see what is going on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { fileError } from "#node/config/files/file-errors.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DIGEST_VERSION_S } from "#shared/protocol/primitives/limits.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import { describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { type ClientOptions, connect, report } from "../../session/client-session.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { Details, Plan, PlanSession, SubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { allRelays, type Relay, readRelay } from "./relay-list.ts";

/** Where the evidence is. */
export interface LiesOptions extends ClientOptions {
  readonly file?: string;
}

/** The same of a vote. */
export interface SuspendOptions extends SubmitOptions {
  readonly file?: string;
  readonly shown?: string;
}

/** A lie that was found, with what the chain says of its relay. */
interface ListedLie {
  readonly relay: PublicKeyHex;
  readonly address: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly signed_at: number;
  readonly state: string;
  readonly evidence: DigestContradiction;
}

const LIE_COLUMNS: readonly Column<ListedLie>[] = [
  { head: "RELAY", cell: ({ address }) => address },
  { head: "SLOT", cell: ({ slot }) => String(slot), isNumber: true },
  { head: "SIGNED", cell: ({ signed_at: at }) => timeOfSeconds(at) },
  { head: "STATE", cell: ({ state }) => state },
];

/** Prints the lies that a node has found. */
export async function showLies(context: CommandContext, options: LiesOptions): Promise<void> {
  const found = await readLies(options);
  const client = found.length === 0 ? undefined : await connect(context, options);
  const needed = client === undefined ? 0 : await votesNeeded(client);
  const lies: ListedLie[] = [];
  for (const evidence of found) {
    const { relay_pub: relay, slot, version } = evidence;
    const state = client && stateOf(await readRelay(client, relay), needed);
    lies.push({
      ...{ relay, address: formatAddress(relay), slot, signed_at: version * DIGEST_VERSION_S, state: state ?? "no votes", evidence },
    });
  }
  report(context, options, { count: lies.length, lies }, lies.length === 0 ? ["No lies."] : tableLines(lies, LIE_COLUMNS));
}

/** Prints who is suspended, and votes. */
export async function showSuspensions(context: CommandContext, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const needed = await votesNeeded(client);
  const relays: { readonly relay: PublicKeyHex; readonly address: string; readonly votes: number; readonly suspended_until?: number }[] =
    [];
  const lines: string[][] = [];
  for await (const relay of allRelays(client)) {
    const state = stateOf(relay, needed);
    if (state === undefined) continue;
    const { suspended_until: until, suspension_votes: votes = 0 } = relay.keeper ?? {};
    relays.push({ relay: relay.pub_key, address: relay.address, votes, ...(until === undefined ? {} : { suspended_until: until }) });
    lines.push([relay.address, state]);
  }
  const columns: readonly Column<readonly string[]>[] = ["RELAY", "STATE"].map((head, at) => ({ head, cell: (line) => line[at] ?? "" }));
  const nothing = ["No relay is suspended, and there are no votes for it."];
  report(
    context,
    options,
    { count: relays.length, votes_needed: needed, relays },
    lines.length === 0 ? nothing : tableLines(lines, columns),
  );
}

/** Undefined for a relay against which nothing counts. */
function stateOf(relay: Relay | undefined, needed: number): string | undefined {
  const { suspended_until: until, suspension_votes: votes } = relay?.keeper ?? {};
  if (until !== undefined) return `suspended until ${timeOfSeconds(until)}`;
  return votes === undefined ? undefined : `${votes} of ${needed} votes`;
}

/** How many votes suspend a relay. */
async function votesNeeded(client: NodeClient): Promise<number> {
  const { count } = await client.listValidators({});
  let needed = 1;
  while (needed < count && !isQuorum(needed, count)) needed += 1;
  return needed;
}

/** A vote, or evidence of who is no validator. @throws CodedError when there is no evidence that the relay has signed. */
export async function planVote(
  context: CommandContext,
  { client, chainId, signer }: PlanSession,
  { account, options }: { readonly account: string; readonly options: SuspendOptions },
): Promise<Plan> {
  const relay = await resolveAccount({ client, context }, account);
  const found = options.shown === undefined ? await readLies(options) : [await readShown(client, options.shown)];
  const evidence = found.find(({ relay_pub: of }) => of === relay);
  const named = describeAccount(account, relay);
  if (evidence === undefined) throw new CodedError("NOT_FOUND", `There is no evidence against ${named} there`);
  if (!(await isProven(chainId, evidence))) throw new CodedError("BAD_REQUEST", `${named} has not signed both digests of the evidence`);
  const until = (await readRelay(client, relay))?.keeper?.suspended_until;
  if (until !== undefined) throw new CodedError("TX_REJECTED", `${named} is suspended until ${timeOfSeconds(until)} already`);
  const { validators } = await client.listValidators({});
  const isValidator = validators.some(({ pub_key: key }) => key === signer.publicKey);
  return {
    what: isValidator ? `Vote to suspend ${named}` : `Evidence against ${named}, which is no vote: the key is no validator's`,
    draft: { type: "SUSPEND_RELAY", payload: { evidence } },
    // A validator whose earnings go to a wallet has nothing to pay with.
    ...(isValidator ? { fee: 0 } : {}),
    result: async ({ block_index: height }): Promise<Details> => {
      if (height === undefined) return { fields: { relay } };
      const state = stateOf(await readRelay(client, relay), await votesNeeded(client)) ?? "no votes";
      return { fields: { relay, state }, lines: [state] };
    },
  };
}

async function isProven(chainId: string, evidence: DigestContradiction): Promise<boolean> {
  const [{ digestsOf, isSignedDigest }, { verifyZip215 }] = await Promise.all([
    import("#shared/protocol/keepers/kept-digest.ts"),
    import("#shared/protocol/primitives/signature.ts"),
  ]);
  const isSigned = await Promise.all(digestsOf(evidence).map((digest) => isSignedDigest(chainId, digest, verifyZip215)));
  return isSigned.every(Boolean);
}

/** Evidence in a file of a node; none where there is no file. @throws CodedError when it cannot be read, or holds something else. */
async function readLies({ file, dataDir }: LiesOptions): Promise<readonly DigestContradiction[]> {
  const path = file ?? join(dataDir ?? defaultDataDir(), "consensus", "lies.json");
  const { parseLies } = await import("#node/duties/lie-pool.ts");
  const text = readText(path, file === undefined);
  if (text === undefined) return [];
  try {
    return parseLies(text).map(({ evidence }) => evidence);
  } catch (cause) {
    throw new CodedError("BAD_REQUEST", `${path} holds no evidence against relays`, { cause });
  }
}

function readText(path: string, mayBeMissing: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (mayBeMissing && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileError(path, error);
  }
}

/** What a transaction shows. @throws CodedError NOT_FOUND, or BAD_REQUEST when it shows no evidence. */
async function readShown(client: NodeClient, id: string): Promise<DigestContradiction> {
  const { readEvidence } = await import("#node/duties/lie-pool.ts");
  const { type, payload } = await client.getTransaction({ txid: id });
  const evidence = type === "SUSPEND_RELAY" ? readEvidence(payload) : undefined;
  if (evidence === undefined) throw new CodedError("BAD_REQUEST", `The transaction ${id} shows no evidence against a relay`);
  return evidence;
}
