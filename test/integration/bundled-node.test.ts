// The node as the desktop starts it: one bundle, a free port, ready and stop over the parent's channel.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildStaleDesktop } from "#build/scripts/build/build-desktop.ts";
import { ROOT } from "#build/scripts/process.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { cleanEnvironment } from "../support/nodes/run-program.ts";

/** Refusals of as many transactions of a key with a wrong signature, sent over one WebSocket at once. */
async function submitForgeries(port: number, from: string, count: number): Promise<readonly string[]> {
  const { chain_id: chainId } = (await (await fetch(`http://127.0.0.1:${port}/api/network-info`)).json()) as { readonly chain_id: string };
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => randomBytes(length) };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
  const errors: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener("close", () => reject(new Error("The node closed the connection")));
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as { readonly type: string; readonly error?: string };
    if (frame.type === "submit_ack" || frame.type === "error") errors.push(frame.error ?? "accepted");
    if (errors.length === count) resolve();
  });
  await once(socket, "open");
  for (let i = 0; i < count; i += 1) {
    const tx = buildTransaction({ type: "TRANSFER", from, to: from, amount: 1, payload: {} }, context);
    socket.send(JSON.stringify({ type: "submit_tx", tx: { ...tx, signature: toBase64(randomBytes(64)) } }));
  }
  await promise;
  socket.close();
  return errors;
}

describe("the bundled node", () => {
  it("tells its port, serves and stops in order", async () => {
    await buildStaleDesktop();
    await using folder = await createTemporaryFolder();
    const args = ["node", "--dev", "--stats-addr", "127.0.0.1:0", "--data-dir", join(folder.path, "data")];
    const child = fork(join(ROOT, "dist/node/main.mjs"), args, { env: cleanEnvironment(), stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const exited = once(child, "exit");
    const [ready] = (await Promise.race([once(child, "message"), exited])) as [{ readonly type: string; readonly port: number }];
    expect(ready).toMatchObject({ type: "ready" });
    const response = await fetch(`http://127.0.0.1:${ready.port}/api/netstats`);
    expect(await response.json()).toMatchObject({ height: 0, validator_count: 1 });
    const docs = await fetch(`http://127.0.0.1:${ready.port}/swagger`);
    expect(docs.status).toBe(200);
    const rich = readKey(join(folder.path, "data", "keys", "faucet-key.json"), "ed25519");
    // Enough at once for the thread that checks signatures, a file of its own in the bundle.
    const answers = await submitForgeries(ready.port, rich?.publicKey ?? "", 40);
    const refusal = "The signature is not one of the from key over the transaction's canonical bytes, in which keys are in lower case";
    expect(new Set(answers)).toEqual(new Set([refusal]));
    // So is the thread for large reads.
    const search = await fetch(`http://127.0.0.1:${ready.port}/api/search?q=0`);
    expect(await search.json()).toMatchObject({ count: 1, blocks: [{ index: 0 }] });
    child.send({ type: "stop" });
    expect(await exited).toEqual([0, null]);
  });
});
