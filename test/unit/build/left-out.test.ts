// Two cases, of which a run of a part takes one: `extent.test.ts` has the project's own scripts run this file in each extent.
import { expect, it } from "vitest";
import { isWhole, WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";

it.each([0, 1])("case %i of two that differ in a value, of which the first is no longer than others", (index) => {
  expect(wholeUnless(index === 0)).toEqual(index === 0 ? {} : WHOLE_ONLY);
});

it("a case for a whole run", WHOLE_ONLY, () => expect(typeof isWhole).toBe("boolean"));
