// The picture of a person or a group, as an address. It is read from the local store when it is first shown, and again when it changes.
import { type QueryObserverOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessenger, usePictureMark } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

const PICTURES = "picture";
/** Where bytes are not there yet they are looked for again after this time, and after twice as long each time, ten times at most. */
const AGAIN_MS = 2_000;
const MAX_DOUBLINGS = 10;

/** How a picture is read; `mark` names its bytes. To a new device these come after what names them, so what is not there may still come. */
export function pictureQuery(
  messenger: Pick<Messenger, "readPicture"> | undefined,
  owner: PublicKeyHex,
  mark: string,
): QueryObserverOptions<string | null> & { readonly queryKey: readonly unknown[] } {
  return {
    queryKey: [PICTURES, owner, mark],
    queryFn: async (): Promise<string | null> => {
      const bytes = await messenger?.readPicture(owner);
      return bytes === undefined ? null : (await import("#renderer/lib/browser/preview-address.ts")).pictureAddress(bytes);
    },
    staleTime: ({ state }) => (state.data === null ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (state.data === null ? AGAIN_MS * 2 ** Math.min(state.dataUpdateCount - 1, MAX_DOUBLINGS) : false),
    enabled: mark !== "" && messenger !== undefined,
  };
}

/** Once the keyring is locked no picture is in memory any more, but one's own where the lock screen may show it. */
export function usePicturesUntilLocked(): void {
  const queries = useQueryClient();
  useEffect(() => (): void => queries.removeQueries({ queryKey: [PICTURES] }), [queries]);
}

/** The address; undefined where there is no picture, and while it is read. */
export function useProfilePicture(owner: PublicKeyHex): string | undefined {
  const messenger = useMessenger();
  const { masterPub } = useAccount();
  const mark = usePictureMark(owner, masterPub);
  const { data } = useQuery(pictureQuery(messenger, owner, mark));
  return data ?? undefined;
}
