import { expect, it } from "vitest";
import { UpgradeNotice } from "#node/composition/changes/upgrade-notice.ts";
import { upgradeOf } from "#shared/protocol/primitives/params.ts";

const APPROVED_AT = 1_767_225_600;
const NOT_BEFORE = APPROVED_AT + 86_400;

it("says once of each approved change what it is, warns of a version that the program lacks, and describes what waits", () => {
  const lines: string[] = [];
  const log = {
    info: (fields: object, message: string): void => void lines.push(`info ${JSON.stringify(fields)} ${message}`),
    warn: (fields: object, message: string): void => void lines.push(`warn ${JSON.stringify(fields)} ${message}`),
  };
  const notice = new UpgradeNotice([2], log);
  notice.look(undefined);
  expect(notice.describe()).toBeUndefined();
  const known = { upgrade: upgradeOf({ min_fee_ut: 2_000 }, undefined, 9), approvedAt: APPROVED_AT };
  notice.look(known);
  notice.look(known);
  expect(notice.describe()).toEqual({ at_height: 9, not_before: NOT_BEFORE, is_known: true });
  notice.look({ upgrade: upgradeOf({}, 3, 9), approvedAt: APPROVED_AT });
  expect(notice.describe()).toEqual({ version: 3, at_height: 9, not_before: NOT_BEFORE, is_known: false });
  notice.look(undefined);
  expect(notice.describe()).toBeUndefined();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^info .*min_fee_ut 2000.* not before block 9 and 2026-01-02T00:00:00.000Z$/u);
  expect(lines[1]).toMatch(/^warn .*approved version 3 of the rules.*This program lacks it/u);
});
