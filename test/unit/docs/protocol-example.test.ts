// The program in docs/protocol.md makes a transaction that a node accepts.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkTransaction } from "#node/ledger/check-transaction.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";

it("docs/protocol.md: the example builds an acceptable transaction", async () => {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/protocol.md", import.meta.url)), "utf8");
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const url = `data:text/javascript,${encodeURIComponent(`${program}\nexport { tx, chainId };`)}`;
  const { tx: raw, chainId } = (await import(/* @vite-ignore */ url)) as { readonly tx: unknown; readonly chainId: string };
  const { tx } = parseTransaction(raw, chainId);
  expect(tx.id).toMatch(/^tx1/);
  expect(checkTransaction(tx, { chainId, verify: verifyZip215 })).toBeUndefined();
  expect(checkTransaction({ ...tx, amount: tx.amount + 1, id: "other" }, { chainId, verify: verifyZip215 })?.code).toBe("TX_SIGNATURE");
});
