// A group of Ann, who has two devices, Bob and Carol, and how it reads on each of them.
import { pollUntil } from "../host/poll-until.ts";
import { befriend, chatOf, createTrio, type Device, keyOf, type Trio } from "./messenger-chat.ts";

/** Carol is a contact of Ann, not of Bob. */
export interface Quartet extends Trio {
  readonly carol: Device;
}

/** Ann with two devices, Bob and Carol, all running. */
export async function createQuartet(): Promise<Quartet> {
  const trio = await createTrio();
  const carol = await trio.world.join();
  await befriend(trio.relay, trio.ann, carol, trio.world.devices);
  return { ...trio, carol };
}

/** A second passes for all devices. */
export function tick({ world }: Pick<Trio, "world">): void {
  for (const device of world.devices) device.time.advance(1_000);
}

/** Ann's group with Bob and Carol, known to all devices. @returns its conversation */
export async function makeGroup(people: Quartet): Promise<string> {
  const { ann, annOther, bob, carol } = people;
  const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
  await untilWords([ann, annOther, bob, carol], id, ["made"]);
  tick(people);
  return id;
}

/** The words of a group: its messages, and its notes by event. */
export async function wordsOf(device: Device, id: string): Promise<readonly string[]> {
  return (await chatOf(device, id)).map(({ body }) => {
    if (body.kind === "group.note") return `${body.event}${body.name === "" ? "" : ` ${body.name}`}`;
    return "text" in body ? body.text : body.kind;
  });
}

/** Waits until a group reads like this on devices. */
export async function untilWords(devices: readonly Device[], id: string, expected: readonly string[]): Promise<void> {
  for (const device of devices) {
    let last: readonly string[] = [];
    await pollUntil(async () => {
      last = await wordsOf(device, id);
      return last.join("|") === expected.join("|");
    }).catch((error: unknown) => {
      throw new Error(`The group reads ${last.join("|")}, not ${expected.join("|")}`, { cause: error });
    });
  }
}
