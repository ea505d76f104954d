// Making an agent: the words are stored before the vault is there, and what could not be made can be made once more.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { initAgent, neverLock } from "#agent/commands/init.ts";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import type { PasswordSources } from "#agent/keyring/password.ts";
import type { Terminal } from "#node/cli/session/terminal.ts";
import { entropyOfPhrase } from "#shared/keyring/vault/phrase.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const PASSWORD = "correct horse battery staple";

let folder: TemporaryFolder;
let dir: string;
let shown: string[];
let sources: PasswordSources & { readonly terminal: Terminal };

beforeEach(async () => {
  folder = await createTemporaryFolder();
  dir = join(folder.path, "agent");
  shown = [];
  const passwordFile = join(folder.path, "password");
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  const unused = (): never => {
    throw new Error("nothing is asked or printed");
  };
  const terminal: Terminal = { out: unused, err: (line) => void shown.push(line), progress: unused, askSecret: unused };
  sources = { passwordFile, environment: {}, terminal };
});
afterEach(() => folder.remove());

const init = (phraseOut: string | undefined): ReturnType<typeof initAgent> =>
  initAgent(dir, { typesPhrase: false, phraseOut, isShown: true }, sources);

async function stateOf(): Promise<string> {
  const agent = await openAgentKeyring(dir);
  const { state } = await agent.keyring.status();
  await agent.close();
  return state;
}

it("makes no vault whose words could not be stored", async () => {
  await expect(init(join(folder.path, "missing", "words"))).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
  expect([await stateOf(), shown]).toEqual(["empty", []]);
  const words = join(folder.path, "words");
  const { address } = await init(words);
  expect(entropyOfPhrase(readFileSync(words, "utf8").trim())).toHaveLength(32);
  // The words are those of the identity.
  rmSync(join(dir, "keyring"), { recursive: true });
  const typed = { ...sources, terminal: { ...sources.terminal, askSecret: () => Promise.resolve(readFileSync(words, "utf8")) } };
  expect((await initAgent(dir, { typesPhrase: true, phraseOut: undefined, isShown: true }, typed)).address).toBe(address);
});

it("leaves no words of nothing behind", async () => {
  const words = join(folder.path, "words");
  // The vault's folder cannot be made.
  const agent = await openAgentKeyring(dir);
  await agent.close();
  rmSync(join(dir, "keyring"), { recursive: true, force: true });
  writeFileSync(join(dir, "keyring"), "");
  await expect(init(words)).rejects.toThrow();
  expect(existsSync(words)).toBe(false);
  writeFileSync(sources.passwordFile ?? "", "password\n", { mode: 0o600 });
  rmSync(join(dir, "keyring"));
  await expect(init(undefined)).rejects.toMatchObject({ code: "PASSWORD_WEAK" });
  expect([await stateOf(), shown]).toEqual(["empty", []]);
});

it("never locks by itself, also where its making was killed before that was stored", async () => {
  const agent = await openAgentKeyring(dir);
  await agent.keyring.create({ password: PASSWORD });
  expect(await agent.keyring.autoLock()).toMatchObject({ isChosen: false });
  await neverLock(agent, PASSWORD);
  const never = { walletIdleMs: null, fullIdleMs: null, isChosen: true };
  expect(await agent.keyring.autoLock()).toEqual(never);
  // A second time nothing is written, and no password is looked at.
  await neverLock(agent, "another one");
  expect(await agent.keyring.autoLock()).toEqual(never);
  await agent.close();
});
