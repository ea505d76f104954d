// parley contract state: what a contract has stored under a key.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, fromUtf8 } from "#shared/util/bytes.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { type NamesOptions, withNamesOption } from "../../../session/contracts/names-option.ts";
import { withExamples } from "../../../session/examples.ts";
import { fieldLines } from "../../../session/printing/table.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { CONTRACT_ARGUMENT, findContract } from "../named-contract.ts";

export function addStateCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command("state")
    .description("print the value under a key of a contract's state: as text, in hex, and as an integer when it has 8 bytes")
    .argument("<contract>", CONTRACT_ARGUMENT)
    .argument("<key>", "key, a text");
  withExamples(
    withNamesOption(withClientOptions(command)),
    "contract state username_registry name:alice",
    "contract state counter count --json",
  ).action(async (name: string, key: string, options: ClientOptions & NamesOptions) => {
    const client = await connect(context, options);
    const { id } = await findContract({ context, client }, name, options);
    const state = await client.getContractState({ contractID: id, key });
    if (state.value_hex === null) throw new CodedError("NOT_FOUND", `${name} has nothing under the key ${key}`);
    const text = textOf(state.value_b64 ?? "");
    const lines = fieldLines([
      ...(text === undefined ? [] : ([["text", text]] as const)),
      ["hex", state.value_hex],
      ...(state.value_u64 === null ? [] : ([["integer", String(state.value_u64)]] as const)),
    ]);
    report(context, options, state, lines);
  });
}

/** The text of UTF-8 bytes; undefined for other bytes. */
function textOf(base64: string): string | undefined {
  try {
    return fromUtf8(fromBase64(base64));
  } catch {
    return undefined;
  }
}
