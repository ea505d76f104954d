// Keep-alive HTTP requests with little overhead of their own.
import { Agent, request } from "node:http";

/** Posts JSON over at most `connections` kept connections. */
export class HttpPool {
  readonly #agent: Agent;
  readonly #port: number;

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Status and body of an answer. */
  post(path: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const outgoing = request({ host: "127.0.0.1", port: this.#port, path, method: "POST", agent: this.#agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
