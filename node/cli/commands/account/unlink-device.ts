// parley unlink-device: revoke a device of the identity.
import type { Command } from "commander";
import { resolveDevice } from "../../session/accounts/device-names.ts";
import { withExamples } from "../../session/examples.ts";
import { deviceKeyOf } from "../../session/keys/key-file.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addUnlinkDeviceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("unlink-device")
    .description("unlink a device: it receives no further messages")
    .option("--device <key>", "name of the device, or its X25519 key in hex (default: the key file's own)");
  withExamples(withSubmitOptions(command), "unlink-device --key alice.json --device phone --wait").action(
    (options: SubmitOptions & { readonly device?: string }) =>
      submitAndReport(context, options, async ({ client, signer }) => {
        const { device } = options;
        const devicePub = device === undefined ? deviceKeyOf(signer) : await resolveDevice(client, signer.publicKey, device);
        return { what: "Device unlinked", draft: draftOf({ kind: "unlinkDevice", devicePub }, signer) };
      }),
  );
}
