// parley agent init: an identity of the agent's own. The phrase is shown once, or typed; it is never an argument, a file or in a log.
import { existsSync, rmSync } from "node:fs";
import type { Terminal } from "#node/cli/session/terminal.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringStatus } from "#shared/keyring/keyring-api.ts";
import { requirePassword } from "#shared/keyring/passwords/estimate-password.ts";
import { ENTROPY_BYTES, phraseOfEntropy } from "#shared/keyring/vault/phrase.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { hostRandom } from "#shared/util/host.ts";
import { type AgentKeyring, openAgentKeyring } from "../keyring/agent-keyring.ts";
import { newAgentPassword, type PasswordSources } from "../keyring/password.ts";

/** Where the phrase comes from, or goes to. */
export interface PhraseOptions {
  /** It exists, and is typed. */
  readonly typesPhrase: boolean;
  /** New file for the words of a new one. */
  readonly phraseOut: string | undefined;
  /** A person sees what is said at the terminal: otherwise it may be a log. */
  readonly isShown: boolean;
}

/** What was made. */
export interface MadeIdentity {
  readonly address: string;
  readonly publicKey: string;
}

/** Makes the vault of a folder. @throws CodedError VAULT_EXISTS, PHRASE_INVALID, PASSWORD_WEAK as the keyring does. */
export async function initAgent(
  dir: string,
  { typesPhrase, phraseOut, isShown }: PhraseOptions,
  sources: PasswordSources & { readonly terminal: Terminal },
): Promise<MadeIdentity> {
  const agent = await openAgentKeyring(dir);
  try {
    await requireEmpty(agent);
    const { terminal } = sources;
    const phrase = typesPhrase ? await terminal.askSecret("Recovery phrase (24 words): ") : undefined;
    if (typesPhrase && phrase === undefined)
      throw new CodedError("CONFIG_INVALID", "A recovery phrase is only typed: run this at a terminal");
    if (phrase === undefined && phraseOut === undefined && !isShown)
      throw new CodedError(
        "CONFIG_INVALID",
        "There is no terminal to show the words of the phrase: give a new file with --phrase-out FILE",
      );
    if (phraseOut !== undefined && existsSync(phraseOut))
      throw new CodedError("CONFIG_INVALID", `${phraseOut} exists already: choose a new file`);
    const password = await newAgentPassword(sources);
    if (phrase === undefined) await createIdentity(agent, password, { phraseOut, terminal });
    else await agent.keyring.importPhrase({ phrase, password });
    await neverLock(agent, password);
    return identityOf(await agent.keyring.status());
  } finally {
    await agent.close();
  }
}

/** The words are with the person before there is a vault: killed in between, or on a full disk, they are those of nothing, and none are lost. */
async function createIdentity(
  { keyring }: AgentKeyring,
  password: string,
  { phraseOut, terminal }: { readonly phraseOut: string | undefined; readonly terminal: Terminal },
): Promise<void> {
  await requirePassword(password);
  const words = phraseOfEntropy(hostRandom(ENTROPY_BYTES));
  if (phraseOut === undefined) showPhrase(terminal, words);
  else writeFileAtomic(phraseOut, `${words.join(" ")}\n`, { mode: 0o600, replaces: false });
  try {
    await keyring.importPhrase({ phrase: words.join(" "), password });
  } catch (error) {
    // One copy of the vault may be there: then these are its words.
    const isEmpty = (await keyring.status().catch(() => undefined))?.state === "empty";
    if (phraseOut !== undefined && isEmpty) rmSync(phraseOut, { force: true });
    throw error;
  }
}

/** An agent is there as long as it runs: it locks with its end. Also of a vault whose making was killed before this. */
export async function neverLock({ keyring }: Pick<AgentKeyring, "keyring">, password: string): Promise<void> {
  const { walletIdleMs, fullIdleMs } = await keyring.autoLock();
  if (walletIdleMs === null && fullIdleMs === null) return;
  await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null, password });
}

/** @throws CodedError VAULT_EXISTS. */
export async function requireEmpty({ keyring }: Pick<AgentKeyring, "keyring">): Promise<void> {
  if ((await keyring.status()).state !== "empty")
    throw new CodedError("VAULT_EXISTS", "This folder has an agent already: choose another one with --dir");
}

export function identityOf({ account }: KeyringStatus): MadeIdentity {
  if (account === null) throw new CodedError("INVARIANT", "A vault was made without an account");
  return { address: formatAddress(account.masterPub), publicKey: account.masterPub };
}

/** To the person at the terminal, beside the result: what is piped on holds no word of it. */
function showPhrase(terminal: Terminal, words: readonly string[]): void {
  terminal.err("Write down these 24 words. They are the only way back to this identity, and are not shown again:");
  for (let start = 0; start < words.length; start += 6)
    terminal.err(
      `  ${words
        .slice(start, start + 6)
        .map((word, index) => `${start + index + 1}. ${word}`)
        .join("  ")}`,
    );
}
