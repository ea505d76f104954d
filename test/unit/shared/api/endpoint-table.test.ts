// The table of routes and the endpoints that refer to it: what one lacks of the other does not compile.
import * as Type from "typebox";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type Api, api, type OperationsWith, operationsWhere, PUBLIC_READ_OPERATIONS } from "#shared/api/api.ts";
import { type EndpointGroup, endpoint, publicRead } from "#shared/api/endpoint.ts";
import { type Operation, type PathParam, pathRoots, ROUTES } from "#shared/api/routes.ts";

const response = Type.String();
const fields = { tag: "Test", summary: "A test", response } as const;

describe("a group of endpoints", () => {
  it("refuses an operation without a route", () => {
    // @ts-expect-error there is no such route
    const group = { getNothing: publicRead(fields) } as const satisfies EndpointGroup;
    expect(Object.keys(ROUTES)).not.toContain(Object.keys(group)[0]);
  });

  it("refuses an endpoint that does not read the parameters of its path", () => {
    expectTypeOf<PathParam<"getTokenBalance">>().toEqualTypeOf<"id" | "pubkey">();
    expectTypeOf<PathParam<"getNetstats">>().toBeNever();
    const named = { getBlock: publicRead({ ...fields, params: Type.Object({ index: Type.Integer() }) }) } as const satisfies EndpointGroup;
    expect(named.getBlock.params.required).toEqual(["index"]);
    // @ts-expect-error the parameter is `index`
    const other = { getBlock: publicRead({ ...fields, params: Type.Object({ height: Type.Integer() }) }) } satisfies EndpointGroup;
    expect(other.getBlock.params.required).toEqual(["height"]);
  });

  it("has no public endpoint that writes", () => {
    // @ts-expect-error what is public is a read
    const write: { readonly access: string } = publicRead({ ...fields, access: "write" });
    expect(write.access).toBe("read");
    expect(endpoint({ ...fields, access: "read" })).not.toHaveProperty("isPublic");
  });
});

describe("the table", () => {
  it("has every operation once, with its route", () => {
    expectTypeOf<keyof Api>().toEqualTypeOf<Operation>();
    const routes = Object.entries(api).map(([operation, { method, path }]) => [operation, [method, path]]);
    expect(Object.fromEntries(routes)).toEqual(ROUTES);
    expect(routes).toHaveLength(new Set(Object.values(ROUTES).map(String)).size);
  });

  it("names what is public, and nothing that concerns this node, its peers or its mailboxes", () => {
    expectTypeOf<OperationsWith<{ readonly access: "write" }>>().toEqualTypeOf<
      "submitTransaction" | "submitChainTransaction" | "requestFaucet" | "getKeptHistory" | "readRate" | "readPage" | "openCallRelay"
    >();
    const own = (Object.keys(ROUTES) as Operation[]).filter((operation) => !PUBLIC_READ_OPERATIONS.some((name) => name === operation));
    expect(own.sort()).toEqual([
      "broadcastEnvelope",
      "broadcastEnvelopes",
      "checkForUpdate",
      "countInbox",
      "deleteEnvelope",
      "deleteEnvelopes",
      "draftTransaction",
      "getBox",
      "getCard",
      "getGenesis",
      "getKeptHistory",
      "getNetworkInfo",
      "getStatus",
      "getVersion",
      "holdMail",
      "listBoxes",
      "listDevicesOfMany",
      "listIdentities",
      "listInbox",
      "listPeers",
      "openBox",
      "openCallRelay",
      "putCard",
      "readPage",
      "readRate",
      "requestDuty",
      "requestFaucet",
      "sendMessage",
      "submitChainTransaction",
      "submitTransaction",
      "withdrawMail",
    ]);
    expect(pathRoots()).toEqual(["/api", "/v2", "/relay"]);
  });

  it("says what a light node does not prove, in the order in which its status lists it", () => {
    expect(operationsWhere(({ unverified }) => unverified === "figures")).toEqual(["getNetstats", "getChart", "getNodeStats"]);
    expect(operationsWhere(({ unverified }) => unverified === "completeness")).toEqual([
      "listContacts",
      "listSentContacts",
      "listContracts",
      "listContractLogs",
      "listWellKnownContracts",
      "listTokens",
      "listTokensOfOwner",
      "listNfts",
      "listNftsOfOwner",
      "listChannels",
      "listRelays",
      "listValidatorProposals",
      "getNetworkInfo",
      "search",
    ]);
  });
});
