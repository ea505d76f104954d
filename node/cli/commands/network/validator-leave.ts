// parley validator leave and withdraw: the end of a validator, and its bond back after the waiting time. Both are the same transaction.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { withExamples } from "../../session/examples.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import { type Details, type Plan, type PlanSession, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** Adds both commands. */
export function addLeaveCommands(parent: Command, context: CommandContext): void {
  const leave = parent.command("leave").description("stop validating with your key at once; the bond stays locked for the waiting time");
  withExamples(withSubmitOptions(leave), "validator leave --key data/keys/node-key.json --wait").action((options: SubmitOptions) =>
    submitAndReport(context, options, planLeave),
  );
  const withdraw = parent.command("withdraw").description("take back the bond of a key that has left, once the waiting time is over");
  withExamples(withSubmitOptions(withdraw), "validator withdraw --key data/keys/node-key.json --wait").action((options: SubmitOptions) =>
    submitAndReport(context, options, (session) => planWithdrawal(context, session)),
  );
}

async function planLeave({ client, signer: { publicKey } }: PlanSession): Promise<Plan> {
  const { validator } = await client.getNodeStats({ pubkey: publicKey });
  if (validator?.in_set !== true) throw new CodedError("TX_REJECTED", `${formatAddress(publicKey)} is no validator`);
  return {
    what: `${formatAddress(publicKey)} leaves the validators`,
    draft: { type: "REMOVE_VALIDATOR", payload: { pub_key: publicKey } },
    result: async ({ block_index: height }): Promise<Details> => {
      if (height === undefined) return { fields: { validator: publicKey } };
      const { validator: left } = await client.getNodeStats({ pubkey: publicKey });
      const at = left?.bond_available_at;
      return {
        fields: { validator: publicKey, ...(at === undefined ? {} : { bond_available_at: at }) },
        lines: at === undefined ? [] : [`Its bond can be taken back with "parley validator withdraw" from ${timeOfSeconds(at)}`],
      };
    },
  };
}

async function planWithdrawal(context: CommandContext, { client, signer: { publicKey } }: PlanSession): Promise<Plan> {
  const { validator } = await client.getNodeStats({ pubkey: publicKey });
  const at = validator?.bond_available_at;
  if (validator === undefined || validator.in_set || at === undefined)
    throw new CodedError("TX_REJECTED", `${formatAddress(publicKey)} has no bond to take back: a validator leaves first`);
  if (at * 1_000 > context.clock.nowMs())
    throw new CodedError("TX_REJECTED", `The bond of ${formatAddress(publicKey)} is locked until ${timeOfSeconds(at)}`);
  return {
    what: `Bond of ${formatAmount(validator.bond_ut)} back to ${formatAddress(publicKey)}`,
    draft: { type: "REMOVE_VALIDATOR", payload: { pub_key: publicKey } },
    result: () => ({ fields: { validator: publicKey, bond_ut: validator.bond_ut } }),
  };
}
