// A process that writes a message and its outbox entry at a time, and prints how many are durable, until it is killed.
import { openMessagesIn } from "#node/storage/messages/message-database.ts";

const [folder = "", name = ""] = process.argv.slice(2);
const database = await openMessagesIn(folder)(name, () => undefined);
for (let index = (await database.count("messages")) + 1; ; index += 1) {
  const key = String(index).padStart(9, "0");
  await database.write([
    { table: "messages", put: { key, conversation: "c", at: index, sealed: new Uint8Array(300) } },
    { table: "outbox", put: { seq: index, sealed: new Uint8Array(300) } },
  ]);
  process.stdout.write(`${index}\n`);
}
