// Schemas of what the owner of a node asks it to do on the chain with its own key.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

/** Everything that can be asked for. */
export const DUTIES = [
  "apply",
  "approve",
  "approve_removal",
  "leave",
  "withdraw_bond",
  "bind_wallet",
  "unbind_wallet",
  "pay_wallet",
] as const;

const Account = (description: string): Type.TString => Type.String({ minLength: 1, maxLength: 128, description });

export const DutyRequest = Type.Object(
  {
    duty: Type.Enum(DUTIES, {
      description:
        "apply: ask to become a validator; approve, approve_removal: of another key; leave: stop validating; withdraw_bond: after the waiting time; bind_wallet: earnings to a wallet; unbind_wallet: to the node's own account again; pay_wallet: money of that account to a wallet",
    }),
    pub_key: Type.Optional(Account("approve and approve_removal: address or hex public key of the other validator")),
    wallet_pub: Type.Optional(Account("bind_wallet and pay_wallet: address or hex public key of the wallet")),
    wallet_sig: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: "bind_wallet: its agreement, base64" })),
    amount_ut: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SUPPLY_UT, description: "pay_wallet: µT, without the fee" })),
  },
  { title: "DutyRequest", additionalProperties: false },
);

export type DutyRequest = Static<typeof DutyRequest>;
