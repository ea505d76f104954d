// parley validator: how keys join and leave the validator set, and who is in it. Approvals add up on the chain.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { readLeastFee } from "#shared/api/reads/least-fee.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { type AccountOptions, describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { connect, publicKeys, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import { type Column, fieldLines, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { bondWarning } from "./bond-warning.ts";
import { addLeaveCommands } from "./validator-leave.ts";
import { addRotationCommands } from "./validator-rotate.ts";

type Proposal = Output<"listValidatorProposals">["proposals"][number];

export function addValidatorCommands(program: Command, context: CommandContext): void {
  const validator = program.command("validator").description("join and leave the validator set");
  addRequest(validator, context);
  addApprove(validator, context);
  addRemove(validator, context);
  addLeaveCommands(validator, context);
  addRotationCommands(validator, context);
  addStatus(validator, context);
}

function addRequest(parent: Command, context: CommandContext): void {
  const command = parent
    .command("request")
    .description("apply to validate with your key, whose balance must cover the bond; validators then approve");
  withExamples(withSubmitOptions(command), "validator request --key data/keys/node-key.json --wait").action((options: SubmitOptions) =>
    submitAndReport(context, options, async ({ client, signer: { publicKey } }) => {
      await warnOfBond(context, client, publicKey, options.fee ?? (await readLeastFee(client)) ?? MIN_FEE_UT);
      return {
        what: `Application of ${formatAddress(publicKey)} to validate`,
        draft: { type: "ADD_VALIDATOR", payload: { pub_key: publicKey } },
        result: async ({ block_index }) => ({ fields: { candidate: publicKey, ...(await membership(client, publicKey, block_index)) } }),
      };
    }),
  );
}

function addApprove(parent: Command, context: CommandContext): void {
  const command = parent
    .command("approve")
    .description("approve a candidate; it joins once more than two thirds of the set and the candidate have approved")
    .argument("<account>", "address, hex public key, @username or address-book name of the candidate", accountValue);
  withExamples(withSubmitOptions(command), "validator approve pl1… --key data/keys/node-key.json --wait").action(
    (account: string, options: SubmitOptions) =>
      submitAndReport(context, options, async ({ client }) => {
        const candidate = await resolveAccount({ client, context }, account);
        await warnOfBond(context, client, candidate, 0);
        return {
          what: `Approval of ${describeAccount(account, candidate)} as a validator`,
          draft: { type: "ADD_VALIDATOR", payload: { pub_key: candidate } },
          result: async ({ block_index }) => ({ fields: { candidate, ...(await membership(client, candidate, block_index)) } }),
        };
      }),
  );
}

function addRemove(parent: Command, context: CommandContext): void {
  const command = parent
    .command("remove")
    .description("approve removing a validator; with its own key it leaves at once, and reclaims its bond after the waiting period")
    .argument("<account>", "address, hex public key, @username or address-book name of the validator", accountValue);
  withExamples(withSubmitOptions(command), "validator remove pl1… --key data/keys/node-key.json --wait").action(
    (account: string, options: SubmitOptions) =>
      submitAndReport(context, options, async ({ client }) => {
        const validator = await resolveAccount({ client, context }, account);
        return {
          what: `Removal of ${describeAccount(account, validator)} from the validators`,
          draft: { type: "REMOVE_VALIDATOR", payload: { pub_key: validator } },
          result: async ({ block_index }) => ({ fields: { validator, ...(await membership(client, validator, block_index)) } }),
        };
      }),
  );
}

/** A request waits for approvals, and the balance may come until then: it is a warning and no refusal. */
async function warnOfBond(context: CommandContext, client: NodeClient, candidate: PublicKeyHex, paidBeforeUt: AmountUt): Promise<void> {
  const warning = await bondWarning(client, candidate, paidBeforeUt);
  if (warning !== undefined) context.terminal.err(`Warning: ${warning}`);
}

/** Whether a key is in the set, once the transaction is in a block. */
async function membership(
  client: NodeClient,
  publicKey: PublicKeyHex,
  height: number | undefined,
): Promise<{ readonly is_validator?: boolean }> {
  if (height === undefined) return {};
  const { validators } = await client.listValidators({});
  return { is_validator: validators.some(({ pub_key }) => pub_key === publicKey) };
}

function addStatus(parent: Command, context: CommandContext): void {
  const command = parent
    .command("status")
    .description("print the validator set, or the status of one key")
    .argument("[account]", "address, hex public key, @username or address-book name", accountValue)
    .option("--key <file>", "key file instead of an account; no password needed");
  withExamples(withClientOptions(command), "validator status", "validator status pl1… --json").action(
    (account: string | undefined, options: AccountOptions) => showStatus(context, account, options),
  );
}

async function showStatus(context: CommandContext, account: string | undefined, options: AccountOptions): Promise<void> {
  const named = account ?? (options.key === undefined ? undefined : publicKeys({ key: options.key }).publicKey);
  const client = await connect(context, options);
  const { count, validators, set_aside: setAside = [] } = await client.listValidators({});
  const proposals = await allProposals(client);
  if (named === undefined) {
    const memberships = await membershipsOf(client, validators);
    report(context, options, { count, validators: memberships, set_aside: setAside, proposals }, [
      `${count} ${count === 1 ? "validator" : "validators"}`,
      ...tableLines(memberships, MEMBER_COLUMNS),
      ...setAside.map(({ address, since_block: height }) => `set aside  ${address} since block ${height}: it returns by its own request`),
      ...proposals.map(proposalLine),
    ]);
    return;
  }
  const pubkey = await resolveAccount({ client, context }, named);
  const stats = await client.getNodeStats({ pubkey });
  const isValidator = validators.some(({ pub_key }) => pub_key === pubkey);
  const own = proposals.filter(({ pub_key }) => pub_key === pubkey);
  report(context, options, { ...stats, is_validator: isValidator, proposals: own }, [
    `${stats.address} is ${isValidator ? "a" : "no"} validator`,
    ...fieldLines([
      ...membershipFields(stats.validator),
      ["rank", `${stats.reputation_rank} (score ${stats.reputation_score})`],
      ["blocks", blocksLine(stats)],
      ["balance", stats.node_balance],
      ["slashed", String(stats.slash_count)],
    ]),
    ...own.map(proposalLine),
  ]);
}

function blocksLine({
  blocks_produced: all,
  counted_blocks: counted,
  recent_blocks_produced: recent,
  recent_window_blocks: window,
}: Stats): string {
  const proven =
    counted === undefined || counted.since_height <= 1 ? "" : ` (${counted.blocks} proven since block ${counted.since_height})`;
  return `${all}${proven}, ${recent} of the last ${window}`;
}

type Stats = Output<"getNodeStats">;
type Membership = NonNullable<Stats["validator"]>;
type Member = Output<"listValidators">["validators"][number] & Partial<Omit<Membership, "in_set">>;

/** Requests that are under way at the same time. */
const PARALLEL = 8;

async function membershipsOf(client: NodeClient, validators: Output<"listValidators">["validators"]): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let from = 0; from < validators.length; from += PARALLEL) {
    const some = validators.slice(from, from + PARALLEL);
    const stats = await Promise.all(some.map(({ pub_key: pubkey }) => client.getNodeStats({ pubkey })));
    for (const [at, member] of some.entries()) {
      const { in_set: _, ...membership } = stats[at]?.validator ?? { in_set: true };
      members.push({ ...member, ...membership });
    }
  }
  return members;
}

const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { head: "ADDRESS", cell: ({ address }) => address },
  { head: "BOND", cell: ({ bond_ut: bond }) => (bond === undefined ? "" : formatAmount(bond)), isNumber: true },
  {
    head: "SIGNED",
    cell: ({ commits_expected: expected, commits_signed: signed }) => (expected === undefined ? "" : `${signed ?? 0} of ${expected}`),
    isNumber: true,
  },
  { head: "MISSED OF 1000", cell: ({ missed_commits: missed }) => String(missed ?? 0), isNumber: true },
];

function membershipFields(membership: Membership | undefined): readonly (readonly [name: string, value: string])[] {
  if (membership === undefined) return [];
  const { in_set, bond_ut, bond_available_at: at, banned_until: until, set_aside: aside, commits_expected, commits_signed } = membership;
  const away = at === undefined ? "" : `, can be fetched from ${timeOfSeconds(at)}`;
  return [
    ["bond", `${formatAmount(bond_ut)}${in_set ? "" : away}`],
    ...(aside === true ? ([["set aside", "returns by parley validator request, without approvals"]] as const) : []),
    ["signed", `${commits_signed} of ${commits_expected} commits at which it could vote`],
    ...(until === undefined ? [] : ([["banned", `until ${timeOfSeconds(until)}`]] as const)),
  ];
}

async function allProposals(client: NodeClient): Promise<readonly Proposal[]> {
  const proposals: Proposal[] = [];
  let page = await client.listValidatorProposals({});
  proposals.push(...page.proposals);
  while (page.next_after !== undefined) {
    page = await client.listValidatorProposals({ after: page.next_after });
    proposals.push(...page.proposals);
  }
  return proposals;
}

function proposalLine({ action, address, approval_count: count, approvals_required: required, has_consent: hasConsent }: Proposal): string {
  const consent = action === "add" && !hasConsent ? ", its own consent is missing" : "";
  return `pending  ${action} ${address}: ${count} of ${required} approvals${consent}`;
}
