// HEARTBEAT: a node says that it is there. For its reputation it counts once in ten minutes; more often it only costs its fee.
import { HEARTBEAT_INTERVAL_S } from "#shared/protocol/primitives/limits.ts";
import { readNodeCounters, writeNodeCounters } from "../../records/node-records.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

export const heartbeat: TransactionRule<"HEARTBEAT"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: {},
  apply: (view, tx, _payload, context) => {
    const now = blockSeconds(context);
    const counters = readNodeCounters(view, tx.from);
    const isDue = counters.heartbeats === 0 || now >= counters.lastHeartbeatAt + HEARTBEAT_INTERVAL_S;
    if (isDue) writeNodeCounters(view, tx.from, { ...counters, heartbeats: counters.heartbeats + 1, lastHeartbeatAt: now });
  },
};
