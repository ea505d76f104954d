// The picture that a person gave themselves, as an address. It is read from the local store when it is first shown, and again when it changes.
import { useQuery } from "@tanstack/react-query";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessenger, useProfilePictureMark } from "#renderer/lib/messenger/messenger-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The address; undefined where there is no picture, and while it is read. */
export function useProfilePicture(publicKey: PublicKeyHex): string | undefined {
  const messenger = useMessenger();
  const { masterPub } = useAccount();
  const mark = useProfilePictureMark(publicKey, masterPub);
  const { data } = useQuery({
    queryKey: ["picture", publicKey, mark],
    queryFn: async () => {
      const bytes = await messenger?.readProfilePicture(publicKey);
      return bytes === undefined ? null : (await import("#renderer/lib/browser/preview-address.ts")).pictureAddress(bytes);
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: mark !== "" && messenger !== undefined,
  });
  return data ?? undefined;
}
