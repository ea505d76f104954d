// The address book, written by several commands at once: real processes of one user.
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type ProgramResult, runParley } from "#test/support/nodes/run-program.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const NAMES = Array.from({ length: 8 }, (_, index) => `friend-${index}`);

it("keeps every name that was added at once, gives one to a single account, and takes away what is taken away", async () => {
  const folder = await createTemporaryFolder();
  const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, "config") };
  const book = (...args: readonly string[]): Promise<ProgramResult> => runParley(["address-book", ...args], { env });
  const addresses = NAMES.map((_, index) => formatAddress(actor(index + 1).pub));
  const listed = async (): Promise<readonly string[]> => {
    const { accounts } = JSON.parse((await book("list", "--json")).stdout) as { readonly accounts: readonly { readonly name: string }[] };
    return accounts.map(({ name }) => name);
  };

  const added = await Promise.all(NAMES.map((name, index) => book("add", name, addresses[index] ?? "")));
  expect(added.map(({ code, stderr }) => [code, stderr])).toEqual(NAMES.map(() => [0, ""]));
  expect(await listed()).toEqual(NAMES);

  const claims = await Promise.all(addresses.slice(0, 3).map((address) => book("add", "shop", address)));
  expect(claims.map(({ code }) => code).sort()).toEqual([0, 2, 2]);

  const removed = await Promise.all(NAMES.map((name) => book("remove", name)));
  expect(removed.map(({ code }) => code)).toEqual(NAMES.map(() => 0));
  expect(await listed()).toEqual(["shop"]);
  await folder.remove();
});
