// Where the agent's password comes from, and from where it is not taken.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentPassword, newAgentPassword, type PasswordSources } from "#agent/keyring/password.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());

/** Sources with a terminal at which this is typed; nothing is no terminal. */
function sources(typed: readonly string[], more: Partial<PasswordSources> = {}): PasswordSources {
  const left = [...typed];
  return { passwordFile: undefined, environment: {}, terminal: { askSecret: () => Promise.resolve(left.shift()) }, ...more };
}

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder.path, name);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}

describe("the password of an agent", () => {
  it("is the first line of a file of this user alone, whatever is typed", async () => {
    const passwordFile = file("own", "four words and more\r\nnot this\n");
    expect(await agentPassword(sources(["typed"], { passwordFile }))).toBe("four words and more");
    expect(await newAgentPassword(sources([], { passwordFile }))).toBe("four words and more");
  });

  it.each([
    ["others can read", (): string => file("group", "secret words here\n", 0o640), "Others can read"],
    ["is empty", (): string => file("empty", "\nsecond line"), "is empty"],
    ["is too long", (): string => file("long", "x".repeat(4_097)), "is larger than 4096 bytes"],
    ["is missing", (): string => join(folder.path, "none"), "cannot be read"],
    ["is a folder", (): string => folder.path, "Others can read|cannot be read"],
  ])("is not taken from a file that %s, and its text is in no error", async (_, make, message) => {
    const refused = agentPassword(sources(["typed"], { passwordFile: make() }));
    await expect(refused).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("secret words") });
  });

  it("comes from the credential of systemd, which has permissions of its own, and else from the terminal", async () => {
    const credentialsDir = join(folder.path, "credentials");
    mkdirSync(credentialsDir);
    expect(await agentPassword(sources(["typed"], { environment: { credentialsDir } }))).toBe("typed");
    writeFileSync(join(credentialsDir, "parley-password"), "of systemd\n", { mode: 0o640 });
    expect(await agentPassword(sources(["typed"], { environment: { credentialsDir } }))).toBe("of systemd");
    const passwordFile = file("first", "of the file\n");
    expect(await agentPassword(sources([], { passwordFile, environment: { credentialsDir } }))).toBe("of the file");
  });

  it("is typed twice for a new vault, and is never empty for want of a terminal", async () => {
    expect(await newAgentPassword(sources(["one", "one"]))).toBe("one");
    await expect(newAgentPassword(sources(["one", "two"]))).rejects.toMatchObject({ message: expect.stringContaining("differ") });
    await expect(agentPassword(sources([]))).rejects.toMatchObject({ message: expect.stringContaining("needs its password") });
    await expect(newAgentPassword(sources([]))).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
