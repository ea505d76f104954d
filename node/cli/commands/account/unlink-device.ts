// parley unlink-device: revoke a device of the identity.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import { deviceKeyOf } from "../../session/key-file.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addUnlinkDeviceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("unlink-device")
    .description("unlink a device: it receives no further messages")
    .option("--device <key>", "X25519 key of the device in hex (default: the key file's own)");
  withExamples(withSubmitOptions(command), "unlink-device --key alice.json --device 5d8e… --wait").action(
    (options: SubmitOptions & { readonly device?: string }) =>
      submitAndReport(context, options, ({ signer }) => ({
        what: "Device unlinked",
        draft: draftOf({ kind: "unlinkDevice", devicePub: options.device ?? deviceKeyOf(signer) }, signer),
      })),
  );
}
