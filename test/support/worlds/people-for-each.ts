// People for each test of a file, made before it and stopped after it.
import { afterEach, beforeEach } from "vitest";
import type { World } from "./messenger-chat.ts";

/** What is returned has the people of the test that runs. Call it where a file begins, before hooks that use them. */
export function peopleForEach<People extends { readonly world: World }>(create: () => Promise<People>): People {
  const people = {} as People;
  beforeEach(async () => {
    Object.assign(people, await create());
  });
  afterEach(() => people.world.stop());
  return people;
}
