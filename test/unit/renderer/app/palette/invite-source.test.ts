import { expect, it } from "vitest";
import { inviteCommands } from "#renderer/app/palette/invite-source.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

it("leads to what a pasted invite link holds, and to where one is pasted", () => {
  const opened: string[] = [];
  const commands = (query: string): ReturnType<typeof inviteCommands> =>
    inviteCommands(query, createTranslate("en", en), (data) => opened.push(data));
  const labels = (query: string): readonly string[] => commands(query).map(({ label }) => label);
  expect(labels("parley:group#Ab-_9")).toEqual(["Group invite link"]);
  expect(labels("join")).toEqual(["Join a group"]);
  expect(labels("invite link")).toEqual(["Join a group"]);
  expect(labels("nothing like it")).toEqual([]);
  for (const query of ["parley:group#Ab-_9", "join"]) commands(query)[0]?.run();
  expect(opened).toEqual(["Ab-_9", ""]);
});
