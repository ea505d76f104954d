// parley validator rotate-key and consent: another key for a validator. Both keys sign, here or each on the machine where it is.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ROTATION_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { resolveAccount } from "../../session/accounts/account-names.ts";
import {
  type ClientOptions,
  connect,
  type KeyOptions,
  report,
  unlockSigningKey,
  withClientOptions,
  withKeyOptions,
} from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import { type Details, type Plan, type PlanSession, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface RotateOptions extends SubmitOptions {
  readonly newKey?: string;
  readonly newPasswordFile?: string;
  readonly consent?: string;
}

/** Adds both commands. */
export function addRotationCommands(parent: Command, context: CommandContext): void {
  const rotate = parent
    .command("rotate-key")
    .description("replace the key of your validator: place and bond go to a new one, which votes from the next block on")
    .option("--new-key <file>", "key file of the new key, as parley signer init makes it")
    .option("--new-password-file <file>", "file whose first line is the new key's password (else as for --key)")
    .option("--consent <text>", "what parley validator consent printed where the new key is, in place of --new-key");
  withExamples(
    withSubmitOptions(rotate),
    "validator rotate-key --key signer/validator-key.json --new-key next/validator-key.json --wait",
    "validator rotate-key --key signer/validator-key.json --consent 9c20…:5Zk… --wait",
  ).action((options: RotateOptions) => submitAndReport(context, options, (session) => planRotation(context, session, options)));
  const consent = parent
    .command("consent")
    .description("sign with a new key, on its machine, that it may take the place of a validator's key")
    .argument("<validator>", "address, hex public key, @username or address-book name of the validator", accountValue);
  withExamples(withClientOptions(withKeyOptions(consent)), "validator consent pl1… --key next/validator-key.json").action(
    (validator: string, options: ClientOptions & KeyOptions) => giveConsent(context, validator, options),
  );
}

async function planRotation(context: CommandContext, session: PlanSession, options: RotateOptions): Promise<Plan> {
  const { client, signer } = session;
  const { params } = await client.getParams({});
  if ((params.version ?? 0) < ROTATION_VERSION)
    throw new CodedError(
      "TX_REJECTED",
      `Keys can be replaced from version ${ROTATION_VERSION} of the network on: more than two thirds of the validators approve it with "parley upgrade propose --to ${ROTATION_VERSION}"`,
    );
  const payload = await agreementOf(context, session, options);
  const present = signer.publicKey;
  return {
    what: `New key of the validator ${formatAddress(present)}: ${formatAddress(payload.new_pub)}`,
    draft: { type: "ROTATE_KEY", payload },
    result: ({ block_index: height }): Details => ({
      fields: { validator: present, new_key: payload.new_pub, ...(height === undefined ? {} : { votes_from: height + 1 }) },
      lines:
        height === undefined
          ? []
          : [`The new key votes from block ${height + 1} on. Keep the old signer until the node votes with the new one`],
    }),
  };
}

async function agreementOf(
  context: CommandContext,
  { chainId, signer }: PlanSession,
  { newKey, newPasswordFile, passwordFile, consent }: RotateOptions,
): Promise<PayloadOf<"ROTATE_KEY">> {
  if ((newKey === undefined) === (consent === undefined))
    throw new CodedError("BAD_REQUEST", "Give the new key with --new-key, or what it signed elsewhere with --consent");
  const { consentOf, readConsent } = await import("./rotation-consent.ts");
  if (consent !== undefined) return readConsent(consent, chainId, signer.publicKey);
  const password = newPasswordFile ?? passwordFile;
  const key = await unlockSigningKey(context, { key: newKey ?? "", ...(password === undefined ? {} : { passwordFile: password }) });
  return consentOf(chainId, signer.publicKey, key);
}

async function giveConsent(context: CommandContext, validator: string, options: ClientOptions & KeyOptions): Promise<void> {
  const client = await connect(context, options);
  const present = await resolveAccount({ client, context }, validator);
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const key = await unlockSigningKey(context, options);
  const { consentOf, formatConsent } = await import("./rotation-consent.ts");
  const consent = formatConsent(consentOf(chainId, present, key));
  report(context, options, { validator: present, new_key: key.publicKey, consent }, [consent]);
}
