// Public cards of devices: publishing one, reading one.
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";
import { boxKey, personKey } from "../../security/mail-input.ts";
import type { ApiServices } from "../../services.ts";

/** Reading a card that is not in memory counts as so many requests: others are asked for it. docs/limits.md lists it. */
export const CARD_REQUESTS = 4;

export function createCardHandlers({ cards }: Pick<ApiServices, "cards">): Pick<Handlers, "putCard" | "getCard"> {
  return {
    async putCard({ device, body }, context): Promise<Output<"putCard">> {
      const pub = boxKey("device", device);
      const card = tryFromBase64(body.card);
      if (card === undefined) throw new CodedError("BAD_REQUEST", "card is standard base64 with padding");
      context.spend(CARD_REQUESTS - 1);
      await cards.publish(pub, card);
      return { pub, status: "published" };
    },
    async getCard({ device, master_pub: masterPub }, context): Promise<Output<"getCard">> {
      const pub = boxKey("device", device);
      const owner = { person: personKey("master_pub", masterPub), device: pub };
      if (!cards.isAtHand(owner)) context.spend(CARD_REQUESTS - 1);
      const card = await cards.read(owner);
      if (card === undefined) throw new CodedError("NOT_FOUND", "No valid card of this device of that person is known");
      return { pub, card: toBase64(card) };
    },
  };
}
