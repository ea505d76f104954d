// parley channel: payment channels. The payer locks a deposit and pays by vouchers, off the chain; the payee closes with the latest.
import { type Command, InvalidArgumentError } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_CHANNEL_S } from "#shared/protocol/primitives/limits.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { voucherSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { formatVoucher, isVoucherOf, parseVoucher, type Voucher } from "#shared/protocol/transactions/voucher.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { describeAccount, withAccountOptions } from "../../session/accounts/account-names.ts";
import { type RecipientOptions, resolveRecipient, withLookAlikeOption } from "../../session/accounts/recipients.ts";
import {
  type ClientOptions,
  connect,
  type KeyOptions,
  publicKeys,
  report,
  unlockSigningKey,
  withClientOptions,
  withKeyOptions,
} from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue, amountValue, countValue, durationValue } from "../../session/option-values.ts";
import { type Plan, type PlanSession, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { openChannel } from "./channels.ts";
import type { ChannelsOptions } from "./show-channels.ts";

/** Channels that a list prints without another number. */
const DEFAULT_COUNT = 100;

interface OpenOptions extends SubmitOptions, RecipientOptions {
  readonly amount: AmountUt;
  /** Seconds. */
  readonly expires: number;
}

interface VoucherOptions extends ClientOptions, KeyOptions {
  readonly channel: string;
  readonly paid: AmountUt;
}

interface CloseOptions extends SubmitOptions {
  readonly channel?: string;
  readonly voucher?: Voucher;
  readonly paid?: AmountUt;
}

const CHANNEL_ID_BYTES = 16;
const DAY_S = 86_400;
/** A day below the longest life, which counts from the block's time and not from this machine's. */
const MAX_EXPIRY_S = MAX_CHANNEL_S - DAY_S;

export function addChannelCommands(program: Command, context: CommandContext): void {
  const channel = program.command("channel").description("pay with vouchers through a payment channel");
  addOpen(channel, context);
  addVoucher(channel, context);
  addClose(channel, context);
  addList(channel, context);
}

function addOpen(parent: Command, context: CommandContext): void {
  const command = parent
    .command("open")
    .description("lock a deposit that vouchers can draw on; prints the channel's ID")
    .requiredOption("--to <account>", "address, hex public key, @username or address-book name of the payee", accountValue)
    .requiredOption("--amount <amount>", "deposit: 10T, or whole µT", amountValue)
    .option("--expires <time>", "time until you can close it alone: 90s, 30m, 12h or 7d, at most 364d", durationValue(MAX_EXPIRY_S), DAY_S);
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "channel open --key alice.json --to @bob --amount 10T --expires 7d --wait",
  ).action((options: OpenOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const to = await resolveRecipient({ client, context }, options, signer);
      const channelId = toHex(context.random(CHANNEL_ID_BYTES));
      const expiresAt = Math.floor(context.clock.nowMs() / 1000) + options.expires;
      return {
        what: `Channel ${channelId} with ${formatAmount(options.amount)} to ${describeAccount(options.to, to)}`,
        draft: { type: "OPEN_PAY_CHAN", to, amount: options.amount, payload: { channel_id: channelId, expires_at: expiresAt } },
        result: () => ({ fields: { channel_id: channelId, expires_at: expiresAt } }),
      };
    }),
  );
}

function addVoucher(parent: Command, context: CommandContext): void {
  const command = parent
    .command("voucher")
    .description("sign a voucher for the total paid so far; send the printed text to the payee")
    .requiredOption("--channel <id>", "channel id, 32 hex characters", channelIdValue)
    .requiredOption("--paid <amount>", "total of all payments so far: 2.5T, or whole µT", amountValue);
  withExamples(
    withClientOptions(withKeyOptions(command)),
    "channel voucher --key alice.json --channel 00112233445566778899aabbccddeeff --paid 2.5T",
  ).action((options: VoucherOptions) => signVoucher(context, options));
}

async function signVoucher(context: CommandContext, options: VoucherOptions): Promise<void> {
  const { channel: channelId, paid: paidUt } = options;
  const client = await connect(context, options);
  const { publicKey } = publicKeys(options);
  const { payer, deposit_ut } = await openChannel(client, publicKey, channelId);
  if (payer !== publicKey) throw new CodedError("BAD_REQUEST", "Only the payer of the channel can sign vouchers; this key is its payee");
  if (paidUt > deposit_ut)
    throw new CodedError(
      "BAD_REQUEST",
      `The channel holds ${formatAmount(deposit_ut)}: a voucher for ${formatAmount(paidUt)} in total exceeds it`,
    );
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const { seed } = await unlockSigningKey(context, options);
  const signature = toBase64(signEd25519(voucherSignBytes(chainId, channelId, paidUt), seed));
  const voucher = formatVoucher({ channelId, paidUt, signature });
  report(context, options, { channel_id: channelId, paid_ut: paidUt, voucher_sig: signature, voucher }, [voucher]);
}

function addClose(parent: Command, context: CommandContext): void {
  const command = parent
    .command("close")
    .description("close a channel: the payee at any time with the latest voucher, the payer alone once it has expired")
    .option("--voucher <text>", "latest voucher from the payer", voucherValue)
    .option("--channel <id>", "channel ID, if there is no voucher", channelIdValue)
    .option("--paid <amount>", "amount for the payee, if there is no voucher (default: 0)", amountValue);
  withExamples(
    withSubmitOptions(command),
    "channel close --key bob.json --voucher 00112233445566778899aabbccddeeff:2500000:Zm9v… --wait",
    "channel close --key alice.json --channel 00112233445566778899aabbccddeeff",
  ).action((options: CloseOptions) => {
    const channelId = options.voucher?.channelId ?? options.channel;
    if (channelId === undefined || (options.voucher !== undefined && (options.channel ?? channelId) !== channelId))
      throw new CodedError("CONFIG_INVALID", "Specify one channel: --voucher or --channel");
    if (options.voucher !== undefined && options.paid !== undefined)
      throw new CodedError("CONFIG_INVALID", "The voucher states the amount: omit --paid");
    return submitAndReport(context, options, (session) => planClose(session, options, channelId));
  });
}

async function planClose({ client, chainId, signer }: PlanSession, { voucher, paid }: CloseOptions, channelId: string): Promise<Plan> {
  const { payer, payee } = await openChannel(client, signer.publicKey, channelId);
  if (voucher !== undefined && !isVoucherOf(payer, voucher, chainId))
    throw new CodedError("BAD_REQUEST", "The payer of the channel did not sign this voucher for this network: ask for a new one");
  const paidUt = voucher?.paidUt ?? paid ?? 0;
  const isPayee = payee === signer.publicKey;
  const payload = { channel_id: channelId, paid_ut: paidUt };
  return {
    what: `Channel ${channelId} closed with ${formatAmount(paidUt)} for ${formatAddress(payee)}`,
    draft: {
      type: "CLOSE_PAY_CHAN",
      to: isPayee ? payer : payee,
      payload: isPayee && voucher !== undefined ? { ...payload, voucher_sig: voucher.signature } : payload,
    },
    result: () => ({ fields: { channel_id: channelId, paid_ut: paidUt } }),
  };
}

function addList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .description("print the channels of an account, newest first")
    .option("--limit <count>", "maximum number", countValue, DEFAULT_COUNT)
    .option("--after <cursor>", "only those after this place, as the page before names it");
  withExamples(withAccountOptions(command), "channel list --key alice.json", "channel list @bob --limit 500 --json").action(
    async (account: string | undefined, options: ChannelsOptions) => {
      // Tables, which the other commands do without.
      const { showChannels } = await import("./show-channels.ts");
      await showChannels(context, account, options);
    },
  );
}

function channelIdValue(text: string): string {
  if (!/^[0-9a-fA-F]{32}$/.test(text)) throw new InvalidArgumentError("A channel id has 32 hex characters.");
  return text.toLowerCase();
}

function voucherValue(text: string): Voucher {
  const voucher = parseVoucher(text);
  if (voucher === undefined) throw new InvalidArgumentError("A voucher is the text that parley channel voucher printed.");
  return voucher;
}
