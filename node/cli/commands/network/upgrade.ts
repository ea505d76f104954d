// parley upgrade: changes of the network's parameters and version. A validator approves with its own key; approvals add up on the chain.
import { type Command, InvalidArgumentError } from "commander";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { PARAM_NAMES, type ParamChanges, type ParamName, upgradeId, upgradeOf } from "#shared/protocol/primitives/params.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue, heightValue } from "../../session/option-values.ts";
import { type Column, fieldLines, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import { type Details, type Plan, type PlanSession, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Parameters = Output<"getParams">;
type Change = Pick<Parameters["proposals"][number], "set" | "version" | "at_height">;

interface ProposeOptions extends SubmitOptions {
  readonly set?: ParamChanges;
  readonly to?: number;
  readonly atHeight?: number;
  readonly cancel?: boolean;
}

export function addUpgradeCommands(program: Command, context: CommandContext): void {
  const upgrade = program.command("upgrade").description("change the parameters and the version of the network");
  addShow(upgrade, context);
  addPropose(upgrade, context);
  addCosign(upgrade, context);
}

function addShow(parent: Command, context: CommandContext): void {
  const command = parent.command("show").description("print the parameters, the approved change that waits, and the proposed ones");
  withExamples(withClientOptions(command), "upgrade show", "upgrade show --json").action(async (options: ClientOptions) => {
    const client = await connect(context, options);
    const parameters = await client.getParams({});
    report(context, options, parameters, linesOf(parameters));
  });
}

function addPropose(parent: Command, context: CommandContext): void {
  const command = parent
    .command("propose")
    .description("approve, as a validator, a change that others can cosign; it is active a day after more than two thirds have approved it")
    .option("--set <name=value>", `new value of a parameter, may be repeated: ${PARAM_NAMES.join(", ")}`, collectSet)
    .option("--to <version>", "version of headers and rules to change to", countValue)
    .option("--at-height <height>", "not before this height (default: the next one)", heightValue)
    .option("--cancel", "cancel the approved change that waits");
  withExamples(
    withSubmitOptions(command),
    "upgrade propose --set min_fee_ut=2000 --key data/keys/node-key.json --wait",
    "upgrade propose --cancel --key data/keys/node-key.json",
  ).action((options: ProposeOptions) => submitAndReport(context, options, (session) => planProposal(session, options)));
}

function addCosign(parent: Command, context: CommandContext): void {
  const command = parent
    .command("cosign")
    .description("approve a proposed change as a validator; only one at a time, the latest counts")
    .argument("<id>", 'id of the proposal, or its first characters, as "upgrade show" prints it', idValue);
  withExamples(withSubmitOptions(command), "upgrade cosign 3f9a --key data/keys/node-key.json --wait").action(
    (id: string, options: SubmitOptions) =>
      submitAndReport(context, options, async (session) => {
        const { proposals, pending } = await session.client.getParams({});
        const [found, another] = proposals.filter((proposal) => proposal.id.startsWith(id));
        if (found === undefined && pending?.id.startsWith(id) === true)
          throw new CodedError("TX_REJECTED", `Nothing is missing: enough validators have approved ${id}, and it waits for its time`);
        if (found === undefined) throw new CodedError("NOT_FOUND", `No proposed change has an id that begins with ${id}`);
        if (another !== undefined) throw new CodedError("BAD_REQUEST", `More than one proposed change has an id that begins with ${id}`);
        return await planApproval(session, found);
      }),
  );
}

async function planProposal(session: PlanSession, { set = {}, to: version, atHeight, cancel }: ProposeOptions): Promise<Plan> {
  const isEmpty = Object.keys(set).length === 0 && version === undefined;
  if (isEmpty !== (cancel === true))
    throw new CodedError("BAD_REQUEST", "Name what to change with --set or --to, or cancel what waits with --cancel alone");
  const parameters = await session.client.getParams({});
  refuseVain(parameters, set, version);
  refuseUnknown(version);
  const next = Math.max(1, parameters.height + 1);
  const there = atHeight === undefined ? proposedAlready(parameters, { set, version, next }) : undefined;
  return await planApproval(session, there ?? { set, ...(version === undefined ? {} : { version }), at_height: atHeight ?? next });
}

/**
 * The same change among those that are proposed: with a height of its own it would be another one, and withdraw this validator's approval of
 * that. One that waits for a height is another change, as one validator could propose it for a height that never comes.
 * @throws CodedError TX_REJECTED where the same change is approved already, or proposed for later.
 */
function proposedAlready(
  { proposals, pending }: Parameters,
  { set, version, next }: { readonly set: ParamChanges; readonly version: number | undefined; readonly next: number },
): Change | undefined {
  const isSame = (other: Change): boolean => other.version === version && isSameSet(other.set, set);
  const isCancel = version === undefined && Object.keys(set).length === 0;
  const isFromNext = ({ at_height: height }: Change): boolean => isCancel || height <= next;
  if (pending !== undefined && isSame(pending) && isFromNext(pending))
    throw new CodedError("TX_REJECTED", `Nothing is missing: enough validators have approved ${pending.id}, and it waits for its time`);
  const [same] = proposals
    .filter(isSame)
    .toSorted((a, b) => Number(isFromNext(b)) - Number(isFromNext(a)) || b.approval_count - a.approval_count);
  if (same === undefined || isFromNext(same)) return same;
  const { id, at_height: height } = same;
  throw new CodedError(
    "TX_REJECTED",
    `This change is proposed from height ${height} on: approve that with parley upgrade cosign ${id.slice(0, 8)}, or name another height with --at-height`,
  );
}

/** What the chain would refuse in a block, after the fee. @throws CodedError TX_REJECTED */
function refuseVain({ params, reachable, pending }: Parameters, set: ParamChanges, version: number | undefined): void {
  const changes = Object.entries(set);
  for (const [name, value] of changes) {
    const range = reachable[name];
    if (range !== undefined && (value < range.least || value > range.most))
      throw new CodedError("TX_REJECTED", `${name} can become ${range.least} to ${range.most} in one change, not ${value}`);
  }
  const present = params.version ?? 1;
  if (version !== undefined && version <= present)
    throw new CodedError("TX_REJECTED", `The network has version ${present} of the rules already`);
  if (version !== undefined || pending !== undefined || changes.some(([name, value]) => params[name as ParamName] !== value)) return;
  throw new CodedError(
    "TX_REJECTED",
    changes.length === 0 ? "No approved change waits, so there is nothing to cancel" : "The network has these values already",
  );
}

function isSameSet(one: Change["set"], other: ParamChanges): boolean {
  const entries = Object.entries(one);
  return entries.length === Object.keys(other).length && entries.every(([name, value]) => other[name as ParamName] === value);
}

/** Who approves a version must be able to run it. @throws CodedError TX_REJECTED */
function refuseUnknown(version: number | undefined): void {
  if (version !== undefined && !KNOWN_VERSIONS.includes(version))
    throw new CodedError(
      "TX_REJECTED",
      `This program has version ${KNOWN_VERSIONS.join(", ")} of the rules and not version ${version}: install the release that has it before you approve`,
    );
}

/** A vote of another key than a validator's would cost its fee and count for nothing. */
async function planApproval({ client, signer }: PlanSession, { set, version, at_height }: Change): Promise<Plan> {
  refuseUnknown(version);
  const { validator } = await client.getNodeStats({ pubkey: signer.publicKey });
  if (validator?.in_set !== true)
    throw new CodedError("TX_REJECTED", `${formatAddress(signer.publicKey)} is no validator: only validators approve changes`);
  const id = upgradeId(upgradeOf(set as ParamChanges, version, at_height));
  return {
    what: `Approval of the change ${id.slice(0, 8)}: ${wordsOf({ set, ...(version === undefined ? {} : { version }), at_height })}`,
    draft: { type: "UPGRADE", payload: { set: set as ParamChanges, ...(version === undefined ? {} : { version }), at_height } },
    result: async ({ block_index: height }): Promise<Details> => {
      if (height === undefined) return { fields: { proposal: id } };
      const { pending, proposals } = await client.getParams({});
      const proposal = proposals.find((other) => other.id === id);
      const lines = pending?.id === id ? [pendingLine(pending)] : proposal === undefined ? [] : [proposalLine(proposal)];
      return { fields: { proposal: id, ...(pending?.id === id ? { pending } : {}) }, lines };
    },
  };
}

function linesOf({ height, params, reachable, pending, proposals }: Parameters): readonly string[] {
  const rows = Object.entries(params).map(([name, value]) => ({ name, value, ...reachable[name] }));
  return [
    ...fieldLines([["height", String(height)]]),
    ...tableLines(rows, PARAM_COLUMNS),
    ...(pending === undefined ? [] : [pendingLine(pending)]),
    ...proposals.map(proposalLine),
  ];
}

type Row = { readonly name: string; readonly value: number; readonly least?: number; readonly most?: number };

const PARAM_COLUMNS: readonly Column<Row>[] = [
  { head: "PARAMETER", cell: ({ name }) => name },
  { head: "VALUE", cell: ({ value }) => String(value), isNumber: true },
  { head: "NEXT CHANGE", cell: ({ least, most }) => (least === undefined ? "" : `${least} to ${most ?? ""}`) },
];

function pendingLine(pending: NonNullable<Parameters["pending"]>): string {
  const known = pending.version === undefined || KNOWN_VERSIONS.includes(pending.version);
  const warning = known ? "" : "; this program lacks that version";
  return `approved  ${wordsOf(pending)}, not before ${timeOfSeconds(pending.not_before)}${warning}`;
}

function proposalLine(proposal: Parameters["proposals"][number]): string {
  const { id, approval_count: count, approvals_required: required } = proposal;
  return `proposed  ${id.slice(0, 8)}  ${wordsOf(proposal)}: ${count} of ${required} approvals`;
}

function wordsOf({ set, version, at_height: atHeight }: Change): string {
  const changes = Object.entries(set).map(([name, value]) => `${name} ${value}`);
  const all = [...changes, ...(version === undefined ? [] : [`version ${version}`])];
  return `${all.length === 0 ? "cancel what waits" : all.join(", ")} from height ${atHeight}`;
}

function collectSet(text: string, earlier: ParamChanges = {}): ParamChanges {
  const [, name = "", value = ""] = /^([a-z_]+)=(\d{1,16})$/.exec(text) ?? [];
  if (!PARAM_NAMES.includes(name as ParamName) || !Number.isSafeInteger(Number(value)) || value === "")
    throw new InvalidArgumentError(`Write name=value, the value a whole number, and the name one of ${PARAM_NAMES.join(", ")}.`);
  return { ...earlier, [name]: Number(value) };
}

function idValue(text: string): string {
  if (!/^[0-9a-fA-F]{4,64}$/.test(text)) throw new InvalidArgumentError("An id has 64 hex characters; its first four are enough.");
  return text.toLowerCase();
}
