import { expect, it } from "vitest";
import { useProfiles } from "#renderer/lib/profile/profile-store.ts";

it("the time of a backup is one of the account that was backed up, and no other's", () => {
  const [ada, bob] = ["aa".repeat(32), "bb".repeat(32)];
  useProfiles.getState().markBackup(ada, 1_000);
  useProfiles.getState().markBackup(ada, 2_000);
  expect(useProfiles.getState().backups).toEqual({ [ada]: 2_000 });
  useProfiles.getState().markBackup(bob, 3_000);
  expect(useProfiles.getState().backups).toEqual({ [ada]: 2_000, [bob]: 3_000 });
});
