// Contact requests that a key received and sent.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import type { Handlers } from "../../handler-types.ts";

export function createContactHandlers({ explorer }: Pick<ReadQueries, "explorer">): Pick<Handlers, "listContacts" | "listSentContacts"> {
  return {
    listContacts: async (input): Promise<Output<"listContacts">> => {
      const pub = parseAccount(input.pub);
      const contacts = [...(await explorer.contactsOf(pub))];
      return { pub, count: contacts.length, contacts };
    },
    listSentContacts: async (input): Promise<Output<"listSentContacts">> => {
      const pub = parseAccount(input.pub);
      const contacts = [...(await explorer.contactsRequestedBy(pub))];
      return { pub, count: contacts.length, contacts };
    },
  };
}
