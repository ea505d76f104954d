// The contact lists of the chain, as the messenger stores them: who may receive what.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Change } from "../changes/change.ts";
import { queueWithheldReceipts } from "../changes/chats/receipts.ts";
import type { ContactsRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Contacts of a running messenger. */
export class Contacts {
  readonly #context: EngineContext;
  readonly #onRefreshed: () => Promise<void>;

  constructor(context: EngineContext, onRefreshed: () => Promise<void>) {
    this.#context = context;
    this.#onRefreshed = onRefreshed;
  }

  /** Reads the contact lists again, and whether the chain lists this device: call when a transaction of either is in a block. */
  async refreshContacts(): Promise<void> {
    const { node, account, registry, store, writer } = this.#context;
    const { received, sent } = await node.contacts(account.masterPub);
    const peers = (entries: typeof received, status: string): PublicKeyHex[] =>
      entries.filter((entry) => entry.status === status).map(({ peer }) => peer);
    const contacts: ContactsRecord = {
      accepted: [...peers(received, "accepted"), ...peers(sent, "accepted")],
      pending: peers(received, "pending"),
      blocked: peers(received, "blocked"),
    };
    await writer.run(async () => {
      const before = await store.readMeta<ContactsRecord>("contacts");
      const change = new Change(this.#context);
      change.batch.putMeta("contacts", contacts);
      const isNew = (before?.pending ?? []).filter((peer) => contacts.accepted.includes(peer));
      if (isNew.length > 0) {
        const { addAcceptance } = await import("../sending/compose-message.ts");
        for (const peer of isNew) await addAcceptance(this.#context, change, peer);
      }
      for (const id of registry.strangersAmong(contacts)) if (change.isStranger(id)) await queueWithheldReceipts(this.#context, change, id);
      await change.commit();
      registry.setContacts(contacts);
      this.#context.changed();
    });
    await this.#onRefreshed();
  }
}
