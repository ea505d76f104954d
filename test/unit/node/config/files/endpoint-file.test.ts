// The file with which programs of a node's owner find it and prove that they are such.
import { chmod, link, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEndpointFile, removeEndpointFile, writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { runningNodes } from "#node/config/files/running-nodes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const ENDPOINT = { chainId: "test", url: "http://127.0.0.1:8080", secret: "ab".repeat(32), pid: process.pid };

describe("endpoint.json", () => {
  it("is readable by its user alone and gives back what was written", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    writeEndpointFile(path, ENDPOINT);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(readEndpointFile(path)).toEqual(ENDPOINT);
    expect(await readdir(folder.path)).toEqual(["endpoint.json"]);
    expect(runningNodes(folder.path)).toEqual([ENDPOINT]);
  });

  it("replaces the one of a node that was killed", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    writeEndpointFile(path, { ...ENDPOINT, secret: "old" });
    writeEndpointFile(path, ENDPOINT);
    removeEndpointFile(path, "old");
    expect(readEndpointFile(path)).toEqual(ENDPOINT);
    removeEndpointFile(path, ENDPOINT.secret);
    removeEndpointFile(path, ENDPOINT.secret);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("is not believed when others may have read or made it", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    for (const mode of [0o640, 0o604, 0o644, 0o660, 0o666]) {
      writeEndpointFile(path, ENDPOINT);
      await chmod(path, mode);
      expect([mode, readEndpointFile(path)]).toEqual([mode, undefined]);
    }
    await chmod(path, 0o600);
    const other = join(folder.path, "link.json");
    await symlink(path, other);
    expect(readEndpointFile(other)).toBeUndefined();
    await mkdir(join(folder.path, "folder.json"), { mode: 0o700 });
    expect(readEndpointFile(join(folder.path, "folder.json"))).toBeUndefined();
    await link(path, join(folder.path, "hard.json"));
    expect(readEndpointFile(join(folder.path, "hard.json"))).toEqual(ENDPOINT);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"version":2,"chain_id":"c","node":{"url":"http://127.0.0.1:1","secret":"s"},"pid":1}',
    '{"version":1,"chain_id":"c","node":{"url":"nowhere","secret":"s"},"pid":1}',
    '{"version":1,"chain_id":"c","node":{"url":"http://127.0.0.1:1"},"pid":1}',
    '{"version":1,"chain_id":"c","node":null,"pid":1}',
    `{"version":1,"chain_id":"${"c".repeat(5_000)}","node":{"url":"http://127.0.0.1:1","secret":"s"},"pid":1}`,
  ])("is none when it says something else: %s", async (text) => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    await writeFile(path, text, { mode: 0o600 });
    expect(readEndpointFile(path)).toBeUndefined();
  });

  it("of a process that is gone names no running node", async () => {
    await using folder = await createTemporaryFolder();
    writeEndpointFile(join(folder.path, "endpoint.json"), { ...ENDPOINT, pid: 2 ** 22 + 1 });
    expect(runningNodes(folder.path)).toEqual([]);
    expect(runningNodes(join(folder.path, "nothing"))).toEqual([]);
  });
});
