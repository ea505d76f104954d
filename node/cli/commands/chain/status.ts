// parley status: what a node says of itself.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { fieldLines } from "../../session/printing/table.ts";
import { durationOf } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Status = Output<"getStatus">;
type Backfill = NonNullable<NonNullable<Status["history"]>["backfill"]>;
type Field = readonly [name: string, value: string];

const BYTES_IN_MIB = 1_048_576;

export function addStatusCommand(program: Command, context: CommandContext): void {
  const command = program.command("status").description("print the state of a node: chain, synchronisation, peers, mailbox, storage");
  withExamples(withClientOptions(command), "status", "status --data-dir data --json").action(async (options: ClientOptions) => {
    const client = await connect(context, options);
    const [status, version] = await Promise.all([client.getStatus({}), client.getVersion({})]);
    report(context, options, { ...status, node_version: version.node_version }, fieldLines(fieldsOf(status, version.node_version)));
  });
}

function fieldsOf(status: Status, version: string): readonly Field[] {
  const { sync, history, light, storage } = status;
  return [
    ["chain", status.chain_id],
    ["mode", status.mode],
    ["block", `${sync.height}, ${sync.tip_time}`],
    ["state", stateOf(sync)],
    ...(history === undefined || history.complete
      ? []
      : ([["history", `from block ${history.from_height}, ${history.from_time}`]] as const)),
    ...(history?.backfill === undefined ? [] : ([["older blocks", backfillOf(history.backfill)]] as const)),
    ...(light === undefined ? [] : lightFields(light)),
    ["peers", String(status.peers)],
    ["pending", `${status.pending_txs} transactions`],
    ["mailbox", `${status.mailbox_envelopes} envelopes`],
    ...(storage === undefined
      ? []
      : ([["storage", mibOf(storage.chain_bytes + storage.mailbox_bytes + storage.consensus_bytes)]] as const)),
    ["running for", durationOf(status.uptime_seconds)],
    ["version", version],
  ];
}

function stateOf({ state, height, target_height: target, reason, eta_seconds: eta, snapshot }: Status["sync"]): string {
  if (snapshot !== undefined && state === "syncing") return `joining, ${joiningOf(snapshot)}`;
  if (state === "syncing") return `syncing, ${target - height} blocks behind${eta === undefined ? "" : `, about ${durationOf(eta)} left`}`;
  return reason === undefined ? state : `${state}: ${reason}`;
}

function backfillOf({ state, reason, bytes, to_height, to_time, eta_seconds: eta }: Backfill): string {
  const goal = to_height === undefined ? `those since ${to_time}` : to_height === 0 ? "all of them" : `those from block ${to_height} on`;
  const left = eta === undefined ? "" : `, about ${durationOf(eta)} left`;
  if (state === "running") return `fetching ${goal}, ${mibOf(bytes)} so far${left}`;
  return `${state}, to fetch ${goal}${reason === undefined ? "" : `: ${reason}`}`;
}

type Snapshot = NonNullable<Status["sync"]["snapshot"]>;

/** What nodes of older versions say, which name no step. */
const STAGE_WORDS: Readonly<Record<Snapshot["stage"], string>> = {
  headers: "looking for a state of the chain to begin with",
  state: "fetching the state",
  history: "fetching the blocks around the state",
};

function joiningOf({ stage, height, bytes, share, step, eta_seconds }: Snapshot): string {
  const eta = step === undefined ? eta_seconds : step.eta_seconds;
  const left = eta === undefined ? "" : `, about ${durationOf(eta)} left`;
  const records = `state of block ${height}: ${mibOf(bytes)}, ${Math.floor(share * 100)} %`;
  if (step === undefined) return stage === "state" ? `${records}${left}` : STAGE_WORDS[stage];
  const [done, total, stepMib] = [step.done ?? 0, step.total ?? 0, mibOf(step.bytes ?? 0)];
  const words: Readonly<Record<NonNullable<Snapshot["step"]>["name"], string>> = {
    peers: `${STAGE_WORDS.headers}: ${done} of ${total} connected nodes serve one`,
    header: `verifying the header of block ${height}`,
    records,
    sort: `sorting the state of block ${height}, part ${done} of ${total}`,
    headers: `headers below block ${height}: ${done} of about ${total}, ${stepMib}`,
    receipts: `receipts of two hours before block ${height}: ${done} of ${total} blocks, ${stepMib}`,
    block: `fetching block ${height}`,
    validators: `validators who signed the blocks before: ${done} of ${total} sets`,
    store: "writing the chain to the disk",
  };
  return `${words[step.name]}${left}`;
}

function lightFields({ state, verified_height, witnessed_height, checkpoint }: NonNullable<Status["light"]>): readonly Field[] {
  return [
    ["light", `${state}, verified to ${verified_height}, confirmed to ${witnessed_height}`],
    ...(checkpoint === undefined ? [] : ([["checkpoint", `${checkpoint.height}:${checkpoint.hash}`]] as const)),
  ];
}

function mibOf(bytes: number): string {
  return `${(bytes / BYTES_IN_MIB).toFixed(1)} MiB`;
}
