// parley agent init: an identity of the agent's own. The phrase is shown once, or typed; it is never an argument, a file or in a log.
import { existsSync } from "node:fs";
import type { Terminal } from "#node/cli/session/terminal.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringStatus } from "#shared/keyring/keyring-api.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
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
    if (phrase === undefined) {
      const { words } = await agent.keyring.create({ password });
      if (phraseOut === undefined) showPhrase(terminal, words);
      else writeFileAtomic(phraseOut, `${words.join(" ")}\n`, { mode: 0o600, replaces: false });
    } else await agent.keyring.importPhrase({ phrase, password });
    await neverLock(agent, password);
    return identityOf(await agent.keyring.status());
  } finally {
    await agent.close();
  }
}

/** An agent is there as long as it runs: it locks with its end. */
export async function neverLock({ keyring }: Pick<AgentKeyring, "keyring">, password: string): Promise<void> {
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
