// The keyring in the browser's Worker: two tabs share its vault.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity, PASSWORD } from "./support/person.ts";
import { type RawKeyring, startRawKeyring } from "./support/raw-keyring.ts";

const CHAIN = "parley-two-tabs";

async function resultOf(keyring: RawKeyring, method: string, input?: unknown): Promise<Record<string, unknown>> {
  const answer = await keyring.call(method, input);
  if ("error" in answer) throw new Error(`${method}: ${answer.error.code}`);
  return answer.value as Record<string, unknown>;
}

describe("the keyring of two tabs", () => {
  let world: BrowserWorld;
  let first: RawKeyring;
  let second: RawKeyring;
  let tab: Page;

  beforeAll(async () => {
    world = await startWorld("keyring");
    const { page, context } = await world.enter("alice");
    await createIdentity(page, world.node.baseUrl, "Alice");
    const other = await context.newPage();
    await other.goto(world.node.baseUrl);
    await other.getByRole("textbox", { name: "Password" }).waitFor();
    first = await startRawKeyring(page);
    second = await startRawKeyring(other);
    tab = other;
    for (const keyring of [first, second]) await resultOf(keyring, "unlock", { password: PASSWORD });
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("keeps what each of them stored, and opens what was sealed to the keys of either", async () => {
    const shown = await Promise.all([
      resultOf(first, "signedPrekey", { chainId: CHAIN }),
      resultOf(second, "signedPrekey", { chainId: `${CHAIN}-2` }),
    ]);
    expect(shown[0]?.epochPub).toBe(shown[1]?.epochPub);
    const { account } = await resultOf(first, "status");
    const { devicePub } = account as { readonly devicePub: string };
    const request = { plaintext: [1, 2, 3], recipients: [devicePub], sentAt: 1, epochPub: shown[0]?.epochPub };
    const [envelope] = (await resultOf(second, "seal", { requests: [request] })) as unknown as readonly Record<string, unknown>[];
    const { sender_pub, nonce, ciphertext } = envelope ?? {};
    const later = await startRawKeyring(tab, "later");
    await resultOf(later, "unlock", { password: PASSWORD });
    for (const keyring of [first, second, later]) {
      const [opened] = (await resultOf(keyring, "open", { items: [{ sender_pub, nonce, ciphertext }] })) as unknown as readonly Record<
        string,
        unknown
      >[];
      expect(opened?.plaintext).not.toBeNull();
    }
    for (const chainId of [CHAIN, `${CHAIN}-2`])
      expect(await resultOf(later, "signedPrekey", { chainId })).toMatchObject({ epochPub: shown[0]?.epochPub });
  });
});
