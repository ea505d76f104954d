// A person without a browser: real keys on the node's chain, and contents of any kind, which no program of ours would send.

import { randomBytes } from "node:crypto";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import type { KnownBody } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { createTestKeyring, ManualTime } from "../../support/worlds/keyring-world.ts";

const FUNDS_UT = 5_000_000;
const PASSWORD = "seven other words sleep at sea";

/** Such a person. */
export class Sender {
  readonly account: KeyringAccount;
  readonly #keyring: Keyring;
  readonly #client: NodeClient;
  readonly #chainId: string;

  private constructor(keyring: Keyring, client: NodeClient, account: KeyringAccount, chainId: string) {
    this.#keyring = keyring;
    this.#client = client;
    this.account = account;
    this.#chainId = chainId;
  }

  /** Someone with money, a published name and one device. */
  static async enter(baseUrl: string, name: string): Promise<Sender> {
    const { keyring } = createTestKeyring(undefined, new ManualTime(Date.now()));
    await keyring.create({ password: PASSWORD });
    const { account } = await keyring.status();
    if (account === null) throw new Error("no account");
    const client = createNodeClient({ baseUrl, fetch: plainFetch });
    const { chain_id: chainId } = await client.getNetworkInfo({});
    const { id } = await client.requestFaucet({ body: { to: account.masterPub, amount_ut: FUNDS_UT } });
    await pollUntil(() => readCommitted(client, id), { what: "the tokens of the faucet" });
    const sender = new Sender(keyring, client, account, chainId);
    await sender.submit({ kind: "registerKey", nickname: name });
    await sender.submit({ kind: "linkDevice", deviceName: "Desk" });
    return sender;
  }

  /** Signs, submits and waits for the block. */
  async submit(intent: Intent): Promise<void> {
    const { transaction } = await this.#keyring.sign({ intent, chainId: this.#chainId });
    const { id } = await this.#client.submitTransaction({ body: transaction });
    await pollUntil(() => readCommitted(this.#client, id), { what: `${intent.kind} to be in a block` });
  }

  /** Sends contents to every device of a person, a millisecond apart. */
  async send(to: PublicKeyHex, ...bodies: readonly KnownBody[]): Promise<void> {
    const { masterPub, devicePub } = this.account;
    const { devices } = await this.#client.listDevices({ master_pub: to });
    const recipients = devices.map((device) => device.x25519_pub_key);
    const now = Date.now();
    const requests = bodies.map((body, index) => {
      const at = now - bodies.length + index;
      const id = randomBytes(16).toString("hex");
      const plaintext = encodeContent({ id, from: masterPub, fromDevice: devicePub, to, chainId: this.#chainId, at, body });
      return { plaintext, recipients, sentAt: Math.floor(at / 1_000) };
    });
    const envelopes = await this.#keyring.seal({ requests });
    await Promise.all(envelopes.map((envelope) => this.#client.broadcastEnvelope({ body: { envelope } })));
  }
}
