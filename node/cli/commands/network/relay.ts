// parley relay: offering to relay envelopes for a fee, and collecting the fees of those in a node's mailbox.
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { readLeastFee } from "#shared/api/reads/least-fee.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { networkOfAddress } from "#shared/protocol/keepers/relay-network.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_RELAY_CLAIMS, MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import type { PayloadOf, RelayClaim } from "#shared/protocol/transactions/payload.ts";
import { isHex } from "#shared/util/bytes.ts";
import { type AccountOptions, resolveAccount } from "../../session/accounts/account-names.ts";
import { type ClientOptions, connect, publicKeys, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue, countValue } from "../../session/option-values.ts";
import { type ListPage, listUpTo, moreAfter } from "../../session/printing/list-up-to.ts";
import { type Column, fieldLines, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { Relay, RelayQuery } from "./relay-list.ts";
import type { LiesOptions, SuspendOptions } from "./relay-suspensions.ts";

interface RegisterOptions extends SubmitOptions {
  readonly relayFee: AmountUt;
  readonly x25519?: string;
  readonly multiaddr?: string;
  readonly bond?: AmountUt;
}

interface WithdrawOptions extends SubmitOptions {}

interface ClaimOptions extends SubmitOptions {}

interface StatusOptions extends AccountOptions {
  readonly limit: number;
  readonly after?: string;
}

const DEFAULT_COUNT = 100;

const COLUMNS: readonly Column<Relay>[] = [
  { head: "ADDRESS", cell: ({ address }) => address },
  { head: "FEE", cell: ({ relay }) => formatAmount(relay.fee_per_msg_ut), isNumber: true },
  { head: "LAST HEARTBEAT", cell: heartbeatOf },
  { head: "BOND", cell: bondOf, isNumber: true },
  { head: "KEEPS MAIL", cell: ({ keeper }) => keeper?.standing ?? "" },
  { head: "REACHED AT", cell: ({ relay }) => relay.multiaddr ?? "" },
];

export function addRelayCommands(program: Command, context: CommandContext): void {
  const relay = program.command("relay").description("relay messages and collect the fees");
  addRegister(relay, context);
  addWithdraw(relay, context);
  addClaim(relay, context);
  addStatus(relay, context);
  addLies(relay, context);
  addSuspend(relay, context);
  addSuspensions(relay, context);
}

function addRegister(parent: Command, context: CommandContext): void {
  const command = parent
    .command("register")
    .description("register a relay on the chain, or update it (parley node --relay-fee does this automatically)")
    .requiredOption("--relay-fee <amount>", "fee per message: 0.001T, or whole µT; 0 for none", amountValue)
    .option("--x25519 <key>", "key of the relay in hex (default: the key of the node at --node)")
    .option("--multiaddr <address>", "where other nodes reach it, for example /ip4/192.0.2.7/tcp/4001")
    .option("--bond <amount>", "bond with which it can keep mail, all that is to be locked; as before when not given", bondValue);
  withExamples(
    withSubmitOptions(command),
    "relay register --key data/keys/node-key.json --relay-fee 500 --wait",
    "relay register --key data/keys/node-key.json --relay-fee 0 --multiaddr /dns4/relay.example.org/tcp/4001 --bond 500T",
  ).action((options: RegisterOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const key = options.x25519 ?? (await client.getStatus({})).relay_pub;
      if (!isHex(key, 32)) throw new CodedError("CONFIG_INVALID", "--x25519 is an X25519 key of 64 hex characters");
      const payload = registrationOf(options, key.toLowerCase());
      if (payload.bond_ut !== undefined) {
        const { refuseRelayBond } = await import("./bond-warning.ts");
        const feeUt = options.fee ?? (await readLeastFee(client)) ?? MIN_FEE_UT;
        await refuseRelayBond(client, { publicKey: signer.publicKey, bondUt: payload.bond_ut, feeUt });
      }
      const locking = payload.bond_ut === undefined ? "" : `, with a bond of ${formatAmount(payload.bond_ut)}`;
      return {
        what: `Relay ${formatAddress(signer.publicKey)} for ${formatAmount(options.relayFee)} a message${locking}`,
        draft: { type: "REGISTER_RELAY", payload },
      };
    }),
  );
}

/** What is locked, or what comes back and from when on. */
function bondOf({ keeper }: Relay): string {
  if (keeper === undefined) return "";
  const { bond_ut: bondUt, withdrawn_ut: withdrawnUt = 0, available_at: availableAt = 0 } = keeper;
  if (bondUt > 0 || withdrawnUt === 0) return formatAmount(bondUt);
  return `${formatAmount(withdrawnUt)} back from ${new Date(availableAt * 1_000).toISOString().slice(0, 10)} on`;
}

function registrationOf({ relayFee, multiaddr, bond }: RegisterOptions, key: string): PayloadOf<"REGISTER_RELAY"> {
  if (bond !== undefined && networkOfAddress(multiaddr ?? "") === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      multiaddr === undefined
        ? "A relay with --bond keeps mail only at a public address: give it with --multiaddr"
        : `A relay with --bond keeps mail only at a public address, which --multiaddr ${multiaddr} is not`,
    );
  return {
    x25519_pub_key: key,
    fee_per_msg_ut: relayFee,
    ...(multiaddr === undefined ? {} : { multiaddr }),
    ...(bond === undefined ? {} : { bond_ut: bond }),
  };
}

function addWithdraw(parent: Command, context: CommandContext): void {
  const command = parent
    .command("withdraw")
    .description("take the bond of a relay back: it keeps no more mail, and 21 days later the same command fetches it");
  withExamples(withSubmitOptions(command), "relay withdraw --key data/keys/node-key.json --wait").action((options: WithdrawOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const { readRelay } = await import("./relay-list.ts");
      const relay = await readRelay(client, signer.publicKey);
      const address = formatAddress(signer.publicKey);
      const { bond_ut: bondUt = 0, withdrawn_ut: withdrawnUt = 0, available_at: availableAt = 0 } = relay?.keeper ?? {};
      if (relay === undefined || bondUt + withdrawnUt === 0) throw new CodedError("NOT_FOUND", `${address} has no bond`);
      if (bondUt === 0 && availableAt * 1_000 > context.clock.nowMs())
        throw new CodedError("TX_REJECTED", `The bond of ${address} is locked until ${timeOfSeconds(availableAt)}`);
      // What was announced stays: it would be replaced by what is not said again.
      const payload = { ...relay.relay, bond_ut: 0 };
      return {
        what: bondUt > 0 ? `Withdraw ${formatAmount(bondUt)} of ${address}` : `Fetch ${formatAmount(withdrawnUt)} of ${address}`,
        draft: { type: "REGISTER_RELAY", payload },
      };
    }),
  );
}

/** A bond that is locked: 0 would withdraw it. */
function bondValue(text: string): AmountUt {
  const amount = amountValue(text);
  if (amount === 0) throw new InvalidArgumentError("A bond is more than 0: relay withdraw takes it back");
  return amount;
}

function addClaim(parent: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = parent
    .command("claim")
    .description(`collect the fees of the envelopes in a node's mailbox, ${MAX_RELAY_CLAIMS} at a time; the node may be running`);
  withExamples(withSubmitOptions(command), "relay claim --data-dir data --key data/keys/node-key.json --wait").action(
    (options: ClaimOptions) => claimFees(context, options, resolve(options.dataDir ?? folder)),
  );
}

async function claimFees(context: CommandContext, options: ClaimOptions, dataDir: string): Promise<void> {
  const { claims, unaffordable } = await claimableOf(dataDir);
  if (unaffordable > 0) context.terminal.err(`The senders of ${unaffordable} envelopes cannot pay now; they are kept for later.`);
  const { publicKey } = publicKeys(options);
  if (claims.length === 0) {
    report(context, options, { status: "nothing", claims: 0, fees_ut: 0, left: 0 }, ["No fees to collect."]);
    return;
  }
  const batch = claims.slice(0, MAX_RELAY_CLAIMS);
  const left = claims.length - batch.length;
  const feesUt = batch.reduce((sum, { fee_ut }) => sum + fee_ut, 0);
  await submitAndReport(context, options, () => ({
    what: `${formatAmount(feesUt)} for ${batch.length} ${batch.length === 1 ? "message" : "messages"} to ${formatAddress(publicKey)}`,
    draft: { type: "RELAY_PROOF", payload: { claims: batch } },
    result: () => ({
      fields: { claims: batch.length, fees_ut: feesUt, left },
      lines: left === 0 ? [] : [`${left} more are left: run this again once it is in a block`],
    }),
  }));
}

async function claimableOf(dataDir: string): Promise<{ readonly claims: readonly RelayClaim[]; readonly unaffordable: number }> {
  // Only this command reads a node's databases.
  const [{ readClaims, withCommittedState }, { claimableFees }] = await Promise.all([
    import("#node/storage/folder-readers.ts"),
    import("#node/relay/claimable-fees.ts"),
  ]);
  const stored = readClaims(dataDir);
  return withCommittedState(dataDir, (state) => claimableFees(state, stored));
}

function addStatus(parent: Command, context: CommandContext): void {
  const command = parent
    .command("status")
    .description("print the registered relays, or one of them")
    .argument("[account]", "address, hex public key, @username or address-book name of a relay", accountValue)
    .option("--key <file>", "key file instead of an account; no password needed")
    .option("--limit <count>", "of all relays, maximum number", countValue, DEFAULT_COUNT)
    .option("--after <key>", "of all relays, only those after this one, as the page before names it");
  withExamples(withClientOptions(command), "relay status", "relay status --key data/keys/node-key.json --json").action(
    (account: string | undefined, options: StatusOptions) => showStatus(context, account, options),
  );
}

function addLies(parent: Command, context: CommandContext): void {
  const command = parent
    .command("lies")
    .description("print which relays signed two digests of one slot that differ, as the node on this machine has found or seen in blocks")
    .option("--file <file>", "file of the evidence (default: consensus/lies.json in the data folder)");
  withExamples(withClientOptions(command), "relay lies", "relay lies --data-dir data --json").action(async (options: LiesOptions) => {
    const { showLies } = await import("./relay-suspensions.ts");
    await showLies(context, options);
  });
}

function addSuspend(parent: Command, context: CommandContext): void {
  const command = parent
    .command("suspend")
    .description("vote, as a validator, to suspend a relay that lied; more than two thirds of the set suspend it for 30 days")
    .argument("<account>", "address, hex public key, @username or address-book name of the relay", accountValue)
    .option("--file <file>", "file of the evidence, also of another machine (default: consensus/lies.json in the data folder)")
    .option("--shown <id>", "take the evidence from this transaction in place of a file");
  withExamples(
    withSubmitOptions(command),
    "relay suspend pl1… --key data/keys/node-key.json --wait",
    "relay suspend pl1… --key signer/validator-key.json --shown tx1… --wait",
  ).action((account: string, options: SuspendOptions) =>
    submitAndReport(context, options, async (session) => {
      const { planVote } = await import("./relay-suspensions.ts");
      return await planVote(context, session, { account, options });
    }),
  );
}

function addSuspensions(parent: Command, context: CommandContext): void {
  const command = parent.command("suspensions").description("print the relays that are suspended, and those with votes for it");
  withExamples(withClientOptions(command), "relay suspensions").action(async (options: ClientOptions) => {
    const { showSuspensions } = await import("./relay-suspensions.ts");
    await showSuspensions(context, options);
  });
}

/** Whose relays they are, and what one of them has done so far. */
async function showStatus(context: CommandContext, account: string | undefined, options: StatusOptions): Promise<void> {
  const named = account ?? (options.key === undefined ? undefined : publicKeys({ key: options.key }).publicKey);
  const client = await connect(context, options);
  const { RELAY_PAGE, readRelay, readRelays } = await import("./relay-list.ts");
  const requested = named === undefined ? undefined : await resolveAccount({ client, context }, named);
  const read = (query: RelayQuery): Promise<ListPage<Relay>> => readRelays(client, query);
  if (requested === undefined) {
    const { found: relays, next } = await listUpTo(read, { ...options, pageSize: RELAY_PAGE });
    const more = next === undefined ? {} : { next_after: next };
    report(context, options, { count: relays.length, relays, ...more }, relays.length === 0 ? ["No relays."] : tableLines(relays, COLUMNS));
    if (next !== undefined) context.terminal.err(moreAfter(next));
    return;
  }
  const relay = await readRelay(client, requested);
  if (relay === undefined) throw new CodedError("NOT_FOUND", `${formatAddress(requested)} is not a registered relay`);
  const {
    relay_proofs,
    reputation_rank,
    reputation_score,
    wallet_binding_address: wallet,
  } = await client.getNodeStats({ pubkey: requested });
  report(context, options, { ...relay, relay_proofs, reputation_rank, reputation_score, wallet_binding_address: wallet }, [
    ...fieldLines([
      ["relay", relay.address],
      ["fee", `${formatAmount(relay.relay.fee_per_msg_ut)} a message`],
      ["heartbeat", heartbeatOf(relay)],
      ...(relay.relay.multiaddr === undefined ? [] : ([["reached at", relay.relay.multiaddr]] as const)),
      ...bondLines(relay),
      ["collected", `${relay_proofs} ${relay_proofs === 1 ? "time" : "times"}, for ${wallet === "" ? "itself" : wallet}`],
      ["rank", `${reputation_rank} (score ${reputation_score})`],
    ]),
  ]);
}

function bondLines({ keeper }: Relay): readonly (readonly [name: string, value: string])[] {
  if (keeper === undefined) return [];
  const { bond_ut, withdrawn_ut, available_at = 0, standing, weight, suspended_until: suspendedUntil, suspension_votes: votes } = keeper;
  const shares = weight === undefined || standing !== "in" ? "" : `, weight ${weight}`;
  return [
    ["bond", formatAmount(bond_ut)],
    ...(withdrawn_ut === undefined
      ? []
      : [["coming back", `${formatAmount(withdrawn_ut)} from ${timeOfSeconds(available_at)} on`] as const]),
    ["keeps mail", `${standing}${shares}`],
    ...(suspendedUntil === undefined ? [] : [["suspended", `until ${timeOfSeconds(suspendedUntil)}`] as const]),
    ...(votes === undefined ? [] : [["votes", `${votes} to suspend it`] as const]),
  ];
}

function heartbeatOf({ last_heartbeat: at }: Relay): string {
  return at === undefined || at === 0 ? "none" : timeOfSeconds(at);
}
