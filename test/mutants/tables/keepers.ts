import { mutantsOf } from "../mutant.ts";

const RULES = ["shared/protocol/keepers"];

/** Who keeps mail, and which. */
export const KEEPERS = [
  ...mutantsOf("shared/protocol/keepers/keeper-standing.ts", RULES, [
    ["relay.withdrawnAtS >= relay.registeredAtS", "relay.withdrawnAtS > timeS"],
    ["relay.suspendedUntilS > timeS ||", ""],
    ["relay.bondUt < keeperBond) return false", "relay.bondUt <= keeperBond) return false"],
    ["block.timeS - standing.leftS > rules.saltS", "block.timeS < standing.leftS"],
    ["relay.heartbeats - count.before >= rules.entryHeartbeats", "relay.heartbeats >= rules.entryHeartbeats"],
    ['  return { is: "waiting", count: { sinceS: block.timeS, before: relay.heartbeats } };\n', '  return { is: "waiting", count };\n'],
    ["relay.heartbeats - back.before >= rules.returnHeartbeats", "true"],
    ["timeS - lastHeartbeatS >= absenceS", "timeS - lastHeartbeatS > 2 * absenceS"],
    ["Math.ceil(validatorBondUt", "Math.floor(validatorBondUt"],
  ]),
  ...mutantsOf("shared/protocol/keepers/mail-mode.ts", RULES, [
    ["keepers >= rules.startKeepers ? mode.enough + 1 : 0", "keepers >= rules.startKeepers ? mode.enough + 1 : mode.enough"],
    ["keepers < rules.leastKeepers ? mode.tooFew + 1 : 0", "keepers < rules.leastKeepers ? mode.tooFew + 1 : mode.tooFew"],
    ["mode.left <= 1", "mode.left <= 0"],
  ]),
  ...mutantsOf("shared/protocol/keepers/daily-seeds.ts", RULES, [
    ["known.lastDay + 1", "lastDay"],
    ["seeds.length - 1 - (lastDay - day)", "seeds.length - (lastDay - day)"],
  ]),
  ...mutantsOf("shared/protocol/keepers/directory.ts", RULES, [
    ["if (taken.has(network) || taken.has(wallet)) continue;", "if (taken.has(network)) continue;"],
    ["independentKeepers(keepers).length", "keepers.length"],
    ["sinceS < rules.overlapS ?", "sinceS > rules.overlapS ?"],
    ["if (before.has(relay.key)) take(relay);", "take(relay);"],
  ]),
  ...mutantsOf("shared/protocol/keepers/placement.ts", RULES, [
    ["(first << 6) | (second >> 2)", "(first << 6) | (second & 63)"],
    ["compareBytes(score, best) > 0", "compareBytes(score, best) < 0"],
    ["    bytes[bytes.length - 1] = i;\n", ""],
    ["start - KEEPER_RULES.periodDays", "start"],
  ]),
  ...mutantsOf("shared/protocol/keepers/relay-network.ts", RULES, [
    ['if (rest.includes("p2p-circuit")) return undefined;', ""],
    ["[[172, 16], 12]", "[[172, 16], 16]"],
    ["missing < 1", "missing < 0"],
  ]),
];
