// What the interface may ask the shell to have its node do with the node's own key. The shell confirms it in its own window and passes it on.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

const Key = Type.String({ pattern: "^[0-9a-f]{64}$" });
const exactly = <const Properties extends Type.TProperties>(properties: Properties): Type.TObject<Properties> =>
  Type.Object(properties, { additionalProperties: false });

/** A duty; the names are those of the node's own interface. */
export const NodeDuty = Type.Union([
  exactly({ duty: Type.Literal("apply") }),
  exactly({ duty: Type.Literal("leave") }),
  exactly({ duty: Type.Literal("withdraw_bond") }),
  /** Another validator, which joins. */
  exactly({ duty: Type.Literal("approve"), pub_key: Key }),
  /** Another validator, which leaves. */
  exactly({ duty: Type.Literal("approve_removal"), pub_key: Key }),
  /** Earnings to a wallet; `wallet_sig` is its agreement, base64. */
  exactly({ duty: Type.Literal("bind_wallet"), wallet_pub: Key, wallet_sig: Type.String({ pattern: "^[A-Za-z0-9+/]{86}==$" }) }),
  /** Earnings to the node's own account again. */
  exactly({ duty: Type.Literal("unbind_wallet") }),
  /** Money of the node's account to a wallet, µT without the fee. */
  exactly({ duty: Type.Literal("pay_wallet"), wallet_pub: Key, amount_ut: Type.Integer({ minimum: 1, maximum: MAX_SUPPLY_UT }) }),
]);
export type NodeDuty = Static<typeof NodeDuty>;
