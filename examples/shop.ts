// A shop: POST /orders makes an order with an invoice, GET /orders/<number> shows it, and a paid one is delivered once.
// Run: node --conditions=parley-source examples/shop.ts orders.json 8800
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "parley/client";

interface Order {
  readonly invoice: string;
  readonly address: string;
  readonly amount_ut: number;
  state: "open" | "partial" | "late" | "delivered";
}

const PRICE = "1.5T";
const [file = "orders.json", port = "8800"] = process.argv.slice(2);
const parley = await connect({ name: "Bakery", reason: "sells bread", scopes: ["invoices"] });
const orders = new Map<string, Order>(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8"))) : []);

/** Whole or not at all: a kill leaves the file of before. */
function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(orders), null, 2), { flush: true });
  renameSync(`${file}.new`, file);
}

async function order(): Promise<object> {
  const { id: invoice, address, amount_ut } = await parley.invoice({ amount: PRICE });
  const number = String(orders.size + 1);
  orders.set(number, { invoice, address, amount_ut, state: "open" });
  save();
  return { number, ...orders.get(number) };
}

const server = createServer(async ({ method, url = "" }, response) => {
  try {
    const found = method === "POST" && url === "/orders" ? await order() : orders.get(/^\/orders\/(\d+)$/.exec(url)?.[1] ?? "");
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(found ?? null));
  } catch {
    response.writeHead(503).end("The shop cannot take orders at the moment");
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log("The shop is open."));

// An event is acknowledged when the next one is asked for: after the order was saved. It may come twice, so what is delivered stays so.
for await (const { type, id } of parley.events()) {
  const [number, bought] = [...orders].find(([, { invoice }]) => invoice === id) ?? [];
  if (bought === undefined || !type.startsWith("invoice.") || bought.state === "delivered") continue;
  bought.state = type === "invoice.paid" ? "delivered" : type === "invoice.late" ? "late" : "partial";
  save();
  console.log(`Order ${number} is ${bought.state}.`);
}
