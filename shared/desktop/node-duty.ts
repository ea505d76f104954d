// What the interface may ask the shell to have its node do with the node's own key. The shell confirms it in its own window and passes it on.
import type { Static } from "typebox";
import * as Type from "typebox";

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
  /** Earnings to a wallet; `wallet_sig` is its agreement, base64. The node's own key ends a binding, and is not given here. */
  exactly({ duty: Type.Literal("bind_wallet"), wallet_pub: Key, wallet_sig: Type.String({ pattern: "^[A-Za-z0-9+/]{86}==$" }) }),
]);
export type NodeDuty = Static<typeof NodeDuty>;
