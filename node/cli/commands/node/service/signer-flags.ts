// The flags of a signer that is to be a service: what would keep it from starting is said before the service is written.
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { addSignerCommandsOn } from "../../signer/signer.ts";

/** @throws CodedError CONFIG_INVALID where the signer would not start, or would be another one from another folder. */
export async function checkSignerFlags(context: CommandContext, dir: string, flags: readonly string[]): Promise<void> {
  const probe = new Command("parley").exitOverride().configureOutput({ writeErr: (text) => context.terminal.err(text.trimEnd()) });
  addSignerCommandsOn(probe, context, async ({ dir: chosen, keyPath }) => {
    if (chosen !== dir) throw new CodedError("CONFIG_INVALID", "Give the folder to service install itself, with --signer before --");
    if (!existsSync(keyPath)) throw new CodedError("CONFIG_INVALID", `There is no key at ${keyPath}: make one with parley signer init`);
    await Promise.resolve();
  });
  await probe.parseAsync(["signer", "--dir", dir, ...flags], { from: "user" });
  const relative = pathsOf(flags).find((path) => !isAbsolute(path));
  if (relative !== undefined)
    throw new CodedError("CONFIG_INVALID", `The service starts in another folder: write ${relative} as a whole path`);
}

/** Paths among the flags, however they are written: a key file, and what a signer listens on that is no port. */
function pathsOf(flags: readonly string[]): readonly string[] {
  const valuesOf = (option: string): readonly string[] =>
    flags.flatMap((word, at) => {
      if (word === option) return [flags[at + 1] ?? ""];
      return word.startsWith(`${option}=`) ? [word.slice(option.length + 1)] : [];
    });
  const places = valuesOf("--listen").flatMap((list) => list.split(",").map((item) => item.trim()));
  return [...valuesOf("--key"), ...places.filter((place) => place.includes("/"))];
}
