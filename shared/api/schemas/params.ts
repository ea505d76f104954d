// Schemas of the network's parameters and of what changes them.
import type { Static } from "typebox";
import * as Type from "typebox";
import { ProposalApproval } from "./chain.ts";
import { Hash, Height, UnixSeconds } from "./primitives.ts";

const Values = Type.Record(Type.String(), Type.Integer(), { description: "By the names of docs/protocol.md §3.3" });

const CHANGE = {
  id: Hash,
  set: Values,
  version: Type.Optional(Type.Integer({ minimum: 1, description: "Version of headers and rules from then on" })),
  at_height: Type.Integer({ minimum: 1, description: "Not before this height" }),
};

export const UpgradeProposal = Type.Object(
  {
    ...CHANGE,
    approvals: Type.Array(ProposalApproval),
    approval_count: Type.Integer({ minimum: 0 }),
    approvals_required: Type.Integer({ minimum: 0, description: "Approvals with which the change is pending" }),
  },
  { title: "UpgradeProposal" },
);

export const PendingUpgrade = Type.Object(
  { ...CHANGE, approved_at: UnixSeconds, not_before: UnixSeconds },
  {
    title: "PendingUpgrade",
    description: "An approved change: active from the first height of at least at_height whose parent has a time of not_before or later",
  },
);

export const NetworkParameters = Type.Object(
  {
    height: Height,
    params: Type.Record(Type.String(), Type.Integer(), { description: "Parameters of the newest block, with the version" }),
    reachable: Type.Record(Type.String(), Type.Object({ least: Type.Integer(), most: Type.Integer() }), {
      description: "Values that one upgrade may give each parameter",
    }),
    known_versions: Type.Array(Type.Integer(), { description: "Versions that this node's program has" }),
    pending: Type.Optional(PendingUpgrade),
    proposals: Type.Array(UpgradeProposal),
  },
  { title: "NetworkParameters" },
);

export type NetworkParameters = Static<typeof NetworkParameters>;
export type PendingUpgrade = Static<typeof PendingUpgrade>;
export type UpgradeProposal = Static<typeof UpgradeProposal>;
