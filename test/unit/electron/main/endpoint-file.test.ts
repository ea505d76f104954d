// The file with which programs of the user find the running app.
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EndpointFile } from "#electron/main/files/endpoint-file.ts";
import { readEndpointFile } from "#node/config/files/endpoint-file.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const NODE = { url: "http://127.0.0.1:21234", secret: "ab".repeat(32), chainId: "test" };
const APPS = { socket: "/run/user/1000/parley-0/apps.sock", secret: null };
const refuse = (error: unknown): never => {
  throw error;
};

it("says what serves now, is its user's alone, and is gone at the end", async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "endpoint.json");
  const file = new EndpointFile({ path, pid: 77, note: refuse });
  file.setApps(APPS);
  // Before the node served once, the chain is not known.
  expect(await readdir(folder.path)).toEqual([]);
  file.setNode(NODE);
  const { chainId, ...node } = NODE;
  expect(readEndpointFile(path)).toEqual({ chainId, apps: APPS, node, pid: 77 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  file.setNode(undefined);
  file.setApps(null);
  expect(readEndpointFile(path)).toEqual({ chainId, apps: null, node: null, pid: 77 });
  file.setNode({ ...NODE, secret: "next start" });
  expect(readEndpointFile(path)?.node?.secret).toBe("next start");
  file.remove();
  file.remove();
  // A node that ends after the app decided to end brings nothing back.
  file.setNode(undefined);
  file.setApps(null);
  expect(await readdir(folder.path)).toEqual([]);
});

it("of an app that was killed is taken away at the next start, wherever it points to", async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "endpoint.json");
  const elsewhere = join(folder.path, "elsewhere");
  await writeFile(elsewhere, "not ours");
  await symlink(elsewhere, path);
  await symlink(elsewhere, `${path}.${process.pid}.tmp`);
  const file = new EndpointFile({ path, pid: 77, note: refuse });
  file.setNode(NODE);
  expect(readEndpointFile(path)?.pid).toBe(77);
  expect(await readFile(elsewhere, "utf8")).toBe("not ours");
  expect(await readdir(folder.path)).toEqual(["elsewhere", "endpoint.json"]);
});

it("of another process stays, and a folder in its place or a disk that cannot be written costs a note", async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "endpoint.json");
  const first = new EndpointFile({ path, pid: 77, note: refuse });
  first.setNode(NODE);
  const second = new EndpointFile({ path, pid: 78, note: refuse });
  second.setNode(NODE);
  first.remove();
  expect(readEndpointFile(path)?.pid).toBe(78);
  second.remove();
  await mkdir(path);
  const notes: unknown[] = [];
  const third = new EndpointFile({ path, pid: 79, note: (error) => notes.push(error) });
  third.setNode(NODE);
  third.remove();
  expect(notes).toHaveLength(2);
  if (process.getuid?.() === 0) return;
  await chmod(folder.path, 0o500);
  third.setNode(NODE);
  expect(notes).toHaveLength(3);
  await chmod(folder.path, 0o700);
});
