// The file with which programs of a node's owner find it and prove that they are such.
import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isInWindowsFolder, readEndpointFile, removeEndpointFile, writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { runningNodes } from "#node/config/files/running-nodes.ts";
import type { LocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const NODE = { url: "http://127.0.0.1:8080", secret: "ab".repeat(32) };
const ENDPOINT: LocalEndpoint = { chainId: "test", apps: null, node: NODE, pid: process.pid };

describe("endpoint.json", () => {
  it("is readable by its user alone and gives back what was written", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    writeEndpointFile(path, ENDPOINT);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(readEndpointFile(path)).toEqual(ENDPOINT);
    expect(await readdir(folder.path)).toEqual(["endpoint.json"]);
    expect(runningNodes({ dataDir: folder.path })).toEqual([NODE]);
  });

  it("replaces the one of a node that was killed", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    writeEndpointFile(path, { ...ENDPOINT, node: { ...NODE, secret: "old" } });
    writeEndpointFile(path, ENDPOINT);
    removeEndpointFile(path, "old");
    expect(readEndpointFile(path)).toEqual(ENDPOINT);
    removeEndpointFile(path, NODE.secret);
    removeEndpointFile(path, NODE.secret);
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
    '{"version":1,"chain_id":"c","node":"http://127.0.0.1:1","pid":1}',
    '{"version":1,"chain_id":"c","node":null,"pid":0}',
    '{"version":1,"chain_id":"c","node":null,"pid":-1}',
    '{"version":1,"chain_id":"c","apps":"/run/apps.sock","node":null,"pid":1}',
    '{"version":1,"chain_id":"c","apps":{"socket":""},"node":null,"pid":1}',
    '{"version":1,"chain_id":"c","apps":{"socket":"/run/apps.sock","secret":1},"node":null,"pid":1}',
    `{"version":1,"chain_id":"${"c".repeat(5_000)}","node":{"url":"http://127.0.0.1:1","secret":"s"},"pid":1}`,
  ])("is none when it says something else: %s", async (text) => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    await writeFile(path, text, { mode: 0o600 });
    expect(readEndpointFile(path)).toBeUndefined();
  });

  it("may name a gateway for programs, and no node while none serves", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "endpoint.json");
    const endpoint = { ...ENDPOINT, apps: { socket: "/run/user/1000/parley-0/apps.sock", secret: null }, node: null };
    writeEndpointFile(path, endpoint);
    expect(readEndpointFile(path)).toEqual(endpoint);
    expect(runningNodes({ endpointFile: path })).toEqual([]);
  });

  it("is not believed in a folder that others may look into or write to, and a pipe in its place holds no reader up", async () => {
    await using folder = await createTemporaryFolder();
    const inside = join(folder.path, "inside");
    await mkdir(inside, { mode: 0o700 });
    const path = join(inside, "endpoint.json");
    writeEndpointFile(path, ENDPOINT);
    for (const mode of [0o755, 0o750, 0o711, 0o777, 0o1777, 0o770]) {
      await chmod(inside, mode);
      expect([mode, readEndpointFile(path)]).toEqual([mode, undefined]);
    }
    await chmod(inside, 0o700);
    expect(readEndpointFile(path)).toEqual(ENDPOINT);
    const pipe = join(inside, "pipe.json");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    expect(readEndpointFile(pipe)).toBeUndefined();
  });

  it("on Windows is in the user's own profile, by whatever path", () => {
    const home = "C:\\Users\\ann";
    for (const path of ["C:\\Users\\ann\\AppData\\Roaming\\Parley", "c:\\users\\ANN\\x", "C:/Users/ann/x/../y"])
      expect([path, isInWindowsFolder(path, home)]).toEqual([path, true]);
    for (const path of ["C:\\Users\\ann", "C:\\Users\\anna\\x", "C:\\Users\\ann\\..\\bob", "D:\\Users\\ann\\x", "\\\\host\\share\\x"])
      expect([path, isInWindowsFolder(path, home)]).toEqual([path, false]);
  });

  it("of a process that is gone names no running node", async () => {
    await using folder = await createTemporaryFolder();
    writeEndpointFile(join(folder.path, "endpoint.json"), { ...ENDPOINT, pid: 2 ** 22 + 1 });
    expect(runningNodes({ dataDir: folder.path })).toEqual([]);
    expect(runningNodes({ dataDir: join(folder.path, "nothing") })).toEqual([]);
  });
});
