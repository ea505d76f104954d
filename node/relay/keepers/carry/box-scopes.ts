// Which run of a keeper listed each box last. Who reads several boxes gives back the name of the run with each of them: a keeper that made up
// another name for each would see by it which belong together. So a box is asked for with a name that came with this box alone.
import { LRUCache } from "lru-cache";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { RequestPart } from "./split-request.ts";

/** Names by keeper and box. */
export class BoxScopes {
  readonly #scopes: LRUCache<string, string>;

  constructor(most: number) {
    this.#scopes = new LRUCache({ max: most });
  }

  /** The part as it is asked: positions of a run that has not listed the box are worth nothing, and left out. */
  asAsked(keeper: PublicKeyHex, part: RequestPart): RequestPart {
    const { box, request } = part;
    if (request.type !== "get" || request.scope === null || this.#scopes.get(`${keeper} ${box}`) === request.scope) return part;
    return { box, request: { ...request, scope: null, boxes: [{ box, after: 0, afterDeletion: 0 }] } };
  }

  /** What the keeper responded about the box. */
  note(keeper: PublicKeyHex, box: string, response: MailResponse): void {
    if (response.type === "page") this.#scopes.set(`${keeper} ${box}`, response.scope);
  }
}
