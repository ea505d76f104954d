// The node as the desktop starts it: one bundle, a free port, ready and stop over the parent's channel.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { buildDesktop } from "#build/vite/desktop.ts";
import { cleanEnvironment } from "../support/run-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

describe("the bundled node", () => {
  it("tells its port, serves and stops in order", async () => {
    await buildDesktop();
    await using folder = await createTemporaryFolder();
    const args = ["node", "--dev", "--stats-addr", "127.0.0.1:0", "--data-dir", join(folder.path, "data")];
    const child = fork(join(ROOT, "dist/node/main.mjs"), args, { env: cleanEnvironment(), stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const exited = once(child, "exit");
    const [ready] = (await Promise.race([once(child, "message"), exited])) as [{ readonly type: string; readonly port: number }];
    expect(ready).toMatchObject({ type: "ready" });
    const answer = await fetch(`http://127.0.0.1:${ready.port}/api/netstats`);
    expect(await answer.json()).toMatchObject({ height: 0, validator_count: 1 });
    const docs = await fetch(`http://127.0.0.1:${ready.port}/swagger`);
    expect(docs.status).toBe(200);
    child.send({ type: "stop" });
    expect(await exited).toEqual([0, null]);
  });
});
