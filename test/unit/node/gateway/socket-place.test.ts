// Where the gateway listens: never where another user could be.
import { chmod, lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareSocket, type Surroundings, socketFolder } from "#node/gateway/socket/socket-place.ts";
import { hostRandom } from "#shared/util/host.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
let surroundings: Surroundings;
beforeEach(async () => {
  folder = await createTemporaryFolder("pg-");
  const runtimeDir = join(folder.path, "run");
  await mkdir(runtimeDir, { mode: 0o700 });
  await mkdir(join(folder.path, "tmp"), { mode: 0o700 });
  surroundings = {
    ...{ platform: "linux", profile: join(folder.path, "profile"), runtimeDir, temporaryDir: join(folder.path, "tmp") },
    ...{ uid: process.getuid?.(), random: hostRandom },
  };
});
afterEach(() => folder.remove());

it("is a folder of the session on Linux, another one for each profile, and closed to others", async () => {
  const { socket, secret } = await prepareSocket(surroundings);
  expect(socket).toMatch(/\/run\/parley-[0-9a-f]{16}\/apps\.sock$/);
  expect(secret).toBeNull();
  expect((await lstat(join(socket, ".."))).mode & 0o777).toBe(0o700);
  const other = await prepareSocket({ ...surroundings, profile: join(folder.path, "other") });
  expect(other.socket).not.toBe(socket);
});

it("is in the profile where the session has no folder of this user closed to others", async () => {
  const inProfile = join(folder.path, "profile", "apps");
  const run = join(folder.path, "run");
  for (const mode of [0o755, 0o711, 0o777]) {
    await chmod(run, mode);
    expect([mode, socketFolder(surroundings)]).toEqual([mode, inProfile]);
  }
  await chmod(run, 0o700);
  await symlink(run, join(folder.path, "link"));
  for (const runtimeDir of [undefined, join(folder.path, "link"), join(folder.path, "nothing"), "/"])
    expect([runtimeDir, socketFolder({ ...surroundings, runtimeDir })]).toEqual([runtimeDir, inProfile]);
  expect(socketFolder({ ...surroundings, uid: 4_242_424 })).toBe(inProfile);
  expect(socketFolder({ ...surroundings, platform: "darwin" })).toBe(inProfile);
});

it("is in the temporary folder when the path of the profile is too long for a socket", async () => {
  const profile = join(folder.path, "x".repeat(100));
  const { socket } = await prepareSocket({ ...surroundings, platform: "darwin", profile });
  expect(socket).toMatch(new RegExp(`/tmp/parley-${process.getuid?.()}-[0-9a-f]{16}/apps\\.sock$`));
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
});

it("is refused where another user made the folder first, or a link leads elsewhere", async () => {
  const profile = join(folder.path, "x".repeat(100));
  const long: Surroundings = { ...surroundings, platform: "darwin", profile };
  const elsewhere = join(folder.path, "elsewhere");
  await mkdir(elsewhere, { mode: 0o700 });
  await symlink(elsewhere, socketFolder(long));
  await expect(prepareSocket(long)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
  expect(await readdir(elsewhere)).toEqual([]);
  const foreign = { ...surroundings, uid: 4_242_424, runtimeDir: undefined };
  await expect(prepareSocket(foreign)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
  await mkdir(join(folder.path, "profile", "blocked"), { recursive: true });
  await writeFile(join(folder.path, "file"), "");
  await expect(prepareSocket({ ...surroundings, runtimeDir: undefined, profile: join(folder.path, "file") })).rejects.toMatchObject({
    code: "STORAGE_UNWRITABLE",
  });
});

it("is closed again when it was open to others", async () => {
  const place = join(folder.path, "profile", "apps");
  await mkdir(place, { recursive: true });
  await chmod(place, 0o777);
  await prepareSocket({ ...surroundings, runtimeDir: undefined });
  expect((await lstat(place)).mode & 0o777).toBe(0o700);
});

it("takes away what a killed gateway left, and nothing of one that runs", async () => {
  const { socket } = await prepareSocket(surroundings);
  await writeFile(socket, "no socket at all");
  expect((await prepareSocket(surroundings)).socket).toBe(socket);
  await expect(lstat(socket)).rejects.toMatchObject({ code: "ENOENT" });
  await symlink("/nowhere", socket);
  await prepareSocket(surroundings);
  await expect(lstat(socket)).rejects.toMatchObject({ code: "ENOENT" });
  const running = createServer().listen(socket);
  await new Promise((resolve) => running.once("listening", resolve));
  await expect(prepareSocket(surroundings)).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  expect((await lstat(socket)).isSocket()).toBe(true);
  running.close();
});

it("is a pipe on Windows, new at each start, with a secret", async () => {
  const windows: Surroundings = { ...surroundings, platform: "win32", uid: undefined };
  const [first, second] = [await prepareSocket(windows), await prepareSocket(windows)];
  expect(first.socket).toMatch(/^\\\\\.\\pipe\\parley-[0-9a-f]{32}$/);
  expect(first.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(second.socket).not.toBe(first.socket);
  expect(second.secret).not.toBe(first.secret);
});
