// Records of the network's parameters: those in force, the approved change that waits, and proposals with their approvals.
// A network that never changed has none of them: its genesis file says what holds.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, list, record } from "#shared/codec/composites.ts";
import { hex, integer } from "#shared/codec/scalars.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { UPGRADE_DELAY_S } from "#shared/protocol/primitives/limits.ts";
import { type NetworkParams, networkParamsCodec, paramsHash, upgradeCodec, upgradedParams } from "#shared/protocol/primitives/params.ts";
import { fromHex, utf8 } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

const pendingCodec = record({
  upgrade: upgradeCodec,
  /** Unix seconds of the block that approved it. */
  approvedAt: integer(),
});
const proposalCodec = record({
  upgrade: upgradeCodec,
  /** In ascending order of the approvers. */
  approvals: list(record({ approver: hex(32), at: integer() })),
});
const proposalsCodec = list(proposalCodec);
const approvedCodec = array(integer());

/** An approved change that is not active yet. */
export type PendingUpgrade = TypeOf<typeof pendingCodec>;

/** A change that waits for approvals. */
export type UpgradeProposal = TypeOf<typeof proposalCodec>;

/** What decides whether a pending change is active at the next height. */
export interface ParentPosition {
  readonly height: Height;
  readonly timeMs: number;
}

const CURRENT_KEY = utf8("current");
const PENDING_KEY = utf8("pending");
const PROPOSALS_KEY = utf8("proposals");
const APPROVED_KEY = utf8("approved");

/** The parameters of the newest block; `first` are those of a network that never changed. */
export function readParams(reader: StateReader, first: NetworkParams): NetworkParams {
  const value = reader.get("params", CURRENT_KEY);
  return value === undefined ? first : decodeRecord(networkParamsCodec, value);
}

/** The parameters with a hash, which a header names; undefined when they never held. */
export function readParamsOf(reader: StateReader, first: NetworkParams, hash: HashHex): NetworkParams | undefined {
  if (hash === paramsHash(first)) return first;
  const value = reader.get("params", fromHex(hash));
  return value === undefined ? undefined : decodeRecord(networkParamsCodec, value);
}

/** The parameters of the block after a parent. */
export function paramsAfter(reader: StateReader, first: NetworkParams, parent: ParentPosition): NetworkParams {
  const current = readParams(reader, first);
  const pending = readPendingUpgrade(reader);
  return pending !== undefined && isDue(pending, parent) ? upgradedParams(current, pending.upgrade) : current;
}

/** Begins a block: writes the parameters of its height when they are others than those of its parent. */
export function activateUpgrade(view: StateView, params: NetworkParams, parent: ParentPosition): void {
  const pending = readPendingUpgrade(view);
  if (pending === undefined || !isDue(pending, parent)) return;
  const value = encode(networkParamsCodec, params);
  view.set("params", CURRENT_KEY, value);
  view.set("params", fromHex(paramsHash(params)), value);
  writePendingUpgrade(view, undefined);
}

/** The approved change that waits, if there is one. */
export function readPendingUpgrade(reader: StateReader): PendingUpgrade | undefined {
  const value = reader.get("params", PENDING_KEY);
  return value === undefined ? undefined : decodeRecord(pendingCodec, value);
}

/** CBOR [[[[name, value]…], version or null, height], approved at] under `pending`; undefined removes it. */
export function writePendingUpgrade(view: StateView, pending: PendingUpgrade | undefined): void {
  if (pending === undefined) view.delete("params", PENDING_KEY);
  else view.set("params", PENDING_KEY, encode(pendingCodec, pending));
}

/** Unix seconds from which a change may be active. */
export function dueSeconds({ approvedAt }: PendingUpgrade): number {
  return approvedAt + UPGRADE_DELAY_S;
}

/** Changes that wait for approvals, in the order in which they were proposed. */
export function readUpgradeProposals(reader: StateReader): readonly UpgradeProposal[] {
  const value = reader.get("params", PROPOSALS_KEY);
  return value === undefined ? [] : decodeRecord(proposalsCodec, value);
}

/** CBOR [[change, [[approver, unix seconds]…]]…] under `proposals`; no record without proposals. */
export function writeUpgradeProposals(view: StateView, proposals: readonly UpgradeProposal[]): void {
  if (proposals.length === 0) view.delete("params", PROPOSALS_KEY);
  else view.set("params", PROPOSALS_KEY, encode(proposalsCodec, proposals));
}

/** Unix seconds, the latest of a block that approved a change or of an approval that it counted; 0 before the first: older ones are void. */
export function readUpgradedAt(reader: StateReader): number {
  const value = reader.get("params", APPROVED_KEY);
  return value === undefined ? 0 : decodeRecord(approvedCodec, value);
}

/** CBOR [unix seconds] under `approved`. */
export function writeUpgradedAt(view: StateView, seconds: number): void {
  view.set("params", APPROVED_KEY, encode(approvedCodec, seconds));
}

function isDue(pending: PendingUpgrade, { height, timeMs }: ParentPosition): boolean {
  return height + 1 >= pending.upgrade.atHeight && Math.floor(timeMs / 1_000) >= dueSeconds(pending);
}
