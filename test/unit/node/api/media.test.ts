// POST /api/media/scrub: a picture comes back clean with the type of its bytes; anything else is refused in words.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gif, jpeg, png, SECRET, webp } from "#test/support/host/sample-images.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld({ api: { limits: { bodyBytes: 20_000 } } });
});
afterAll(() => world[Symbol.asyncDispose]());

async function post(payload: Buffer | undefined, type: string | undefined): Promise<{ status: number; type: unknown; body: Buffer }> {
  const response = await world.server.app.inject({
    method: "POST",
    url: "/api/media/scrub",
    ...(payload === undefined ? {} : { payload }),
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
  });
  return { status: response.statusCode, type: response.headers["content-type"], body: response.rawPayload };
}

const errorOf = (body: Buffer): unknown => (JSON.parse(body.toString()) as { readonly error: unknown }).error;

describe("scrubbing over HTTP", () => {
  it.each([
    ["image/jpeg", jpeg(6)],
    ["image/png", png(1)],
    ["image/webp", webp(undefined)],
    ["image/gif", gif()],
  ])("%s comes back without its metadata", async (type, picture) => {
    const response = await post(picture, type);
    expect([response.status, response.type]).toEqual([200, type]);
    expect(response.body.length).toBeGreaterThan(0);
    expect(response.body.includes(SECRET)).toBe(false);
  });

  it("answers with the type of the bytes when the header says another", async () => {
    expect(await post(png(1), "image/jpeg")).toMatchObject({ status: 200, type: "image/png" });
  });

  it.each<[string, [Buffer?, string?], number, RegExp]>([
    ["no body", [], 400, /empty/],
    ["an empty body", [Buffer.alloc(0), "image/png"], 400, /empty/],
    ["no picture", [Buffer.from("hello"), "image/png"], 415, /JPEG, PNG, WebP or GIF/],
    ["a picture that is cut off", [png(1).subarray(0, 40), "image/png"], 400, /PNG is malformed/],
    ["another format", [Buffer.from("<svg/>"), "image/svg+xml"], 415, /image\/jpeg/],
    ["JSON", [Buffer.from("{}"), "application/json"], 415, /image\/jpeg/],
    ["no type", [png(1), ""], 415, /content-type|image/],
    ["a picture over the cap", [Buffer.concat([png(1), Buffer.alloc(20_000)]), "image/png"], 413, /large/],
  ])("refuses %s", async (_name, [payload, type], status, words) => {
    const response = await post(payload, type);
    expect(response.status).toBe(status);
    expect(errorOf(response.body)).toMatch(words);
  });

  it("takes pictures nowhere else, and no other method", async () => {
    const elsewhere = await world.server.app.inject({
      method: "POST",
      url: "/api/tx",
      payload: png(1),
      headers: { "content-type": "image/png" },
    });
    expect(elsewhere.statusCode).toBe(400);
    const read = await world.server.app.inject("/api/media/scrub");
    expect([read.statusCode, read.headers.allow]).toEqual([405, "POST"]);
  });
});
