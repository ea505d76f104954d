// The name that one has in public. Before the keys are published it is only chosen: it is published with them.
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";

/** Empty where there is none. `chosen` is what this device remembers. */
export function publicNameOf(identity: Pick<IdentityInfo, "registered" | "nickname"> | undefined, chosen: string | undefined): string {
  return identity?.registered === true ? identity.nickname : (chosen ?? "");
}
