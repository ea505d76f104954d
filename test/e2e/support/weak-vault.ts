// A vault as earlier versions wrote it, under a password that is easy to guess: read out of the browser, written by the code of the vault,
// and put back.
import type { Page } from "playwright-core";
import { Vault } from "#shared/keyring/vault/vault.ts";
import { DEFAULT_ARGON2 } from "#shared/keyring/vault/vault-cipher.ts";
import { VAULT_COPIES } from "#shared/keyring/vault/vault-copies.ts";
import { MemoryVault, systemRandom } from "../../support/worlds/keyring-world.ts";

/** Replaces the vault of the page's profile: `weak` opens it, and no one has judged that yet. The page is to be loaded again. */
export async function weakenVault(page: Page, password: string, weak: string): Promise<void> {
  const storage = new MemoryVault();
  for (const copy of VAULT_COPIES) {
    const bytes = await page.evaluate(readCopy, copy);
    if (bytes !== undefined) storage.copies.set(copy, new Uint8Array(bytes));
  }
  const vault = new Vault({ storage, random: systemRandom, argon2: DEFAULT_ARGON2 });
  const { header, secrets } = await vault.openWithPassword(password);
  const { isPasswordJudged: _, ...earlier } = secrets;
  const { id, masterPub, devicePub } = header;
  await vault.write(earlier, weak, { masterPub, devicePub }, { id, dataKey: secrets.dataKey });
  for (const [copy, bytes] of storage.copies) await page.evaluate(writeCopy, [copy, [...bytes]] as const);
}

/** Runs in the page. */
async function readCopy(copy: string): Promise<number[] | undefined> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("parley-vault");
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error);
  });
  const bytes = await new Promise<Uint8Array | undefined>((resolve, reject) => {
    const request = database.transaction("copies").objectStore("copies").get(copy);
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error);
  });
  database.close();
  return bytes && [...bytes];
}

/** Runs in the page. */
async function writeCopy([copy, bytes]: readonly [string, readonly number[]]): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("parley-vault");
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction("copies", "readwrite");
    transaction.objectStore("copies").put(new Uint8Array(bytes), copy);
    transaction.oncomplete = (): void => resolve();
    transaction.onerror = (): void => reject(transaction.error);
  });
  database.close();
}
