// Answers every message of the chats that you choose with the same text. Run: node --conditions=parley-source examples/echo-bot.ts
import { connect, isParleyError } from "parley/client";

const parley = await connect({
  name: "Echo",
  reason: "answers with what was written",
  scopes: ["messages.read:in=chosen", "messages.send:to=replies,rate=200/day"],
});
console.log("Echo listens.");
for await (const event of parley.events()) {
  if (event.type !== "message" || event.id === undefined) continue;
  const message = await parley.message(event.id);
  if (message?.text === undefined) continue;
  try {
    await parley.reply(message, message.text);
  } catch (error) {
    // Deleted, or its sender was blocked, since it came: an event that fails would come again for ever.
    if (!isParleyError(error, "APP_DENIED", "NOT_FOUND")) throw error;
  }
}
