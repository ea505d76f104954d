// Deletions that are asked for together.
import { expect, test } from "vitest";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { deletionsOf, type RemoveEnvelope } from "#shared/messenger/node/signed-deletions.ts";

const IDS = Array.from({ length: 100 }, (_, n) => String(n));

/** Counts requests under way, each of which takes some turns. */
function counted(): { readonly request: () => Promise<void>; readonly most: () => number } {
  let [underWay, most] = [0, 0];
  const request = async (): Promise<void> => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    underWay -= 1;
  };
  return { request, most: () => most };
}

function removal(removeSigned: (ids: readonly string[]) => Promise<void>, removeHere: RemoveEnvelope): RemoveEnvelope {
  const client = {
    listBlocks: async (): Promise<unknown> => [{ index: 7 }],
    deleteEnvelopes: ({ body }: { readonly body: { readonly ids: readonly string[] } }): Promise<void> => removeSigned(body.ids),
  };
  const keyring = { chainId: "test", signDeletion: async (): Promise<string> => "signature" };
  return deletionsOf(client as unknown as NodeClient, keyring, removeHere);
}

test("a node that takes no signatures deletes a batch one by one, few at a time, and what fails says so", async () => {
  const { request, most } = counted();
  const removed: string[] = [];
  const remove = removal(
    () => Promise.reject(new HttpError(404, "Not found", null)),
    async (_, id) => {
      await request();
      if (id === "50") throw new Error("Not now");
      removed.push(id);
    },
  );
  const outcomes = await Promise.allSettled(IDS.map((id) => remove("aa", id)));
  expect(outcomes.flatMap(({ status }, at) => (status === "rejected" ? [at] : []))).toEqual([50]);
  expect(removed).toHaveLength(99);
  expect(most()).toBe(8);
});

test("a batch out of many mailboxes is one request a mailbox, few at a time", async () => {
  const { request, most } = counted();
  const asked: (readonly string[])[] = [];
  const remove = removal(
    async (ids) => {
      asked.push(ids);
      await request();
    },
    () => Promise.reject(new Error("Deleted by signature already")),
  );
  await Promise.all(IDS.flatMap((id) => [remove(id, `${id} a`), remove(id, `${id} b`)]));
  expect(asked.toSorted()).toEqual(IDS.map((id) => [`${id} a`, `${id} b`]).toSorted());
  expect(most()).toBe(8);
});
