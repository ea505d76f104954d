// The routes without schemas say the same as the endpoint table.
import { expect, it } from "vitest";
import { type Api, api } from "#shared/api/api.ts";
import { ROUTES } from "#shared/api/routes.ts";

it("has verb and path of every endpoint of the table, and no others", () => {
  const expected = Object.entries(api as Api).map(([operation, { method, path }]) => [operation, [method, path]]);
  expect(ROUTES).toEqual(Object.fromEntries(expected));
});
