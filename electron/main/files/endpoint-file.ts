// endpoint.json of the profile: where this app's node and its gateway serve, for programs of the same user. The profile is closed to others
// at each start.
import { readFileSync, rmSync } from "node:fs";
import { type AppsEndpoint, formatLocalEndpoint, type NodeEndpoint, parseLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { replaceFile } from "./replace-file.ts";

/** What the file is made of. */
export interface EndpointFileOptions {
  readonly path: string;
  /** Process of this app. */
  readonly pid: number;
  /** A failure, for the log: without the file programs do not find the app, and all else works. */
  readonly note: (error: unknown) => void;
}

/** The file while the app runs. */
export class EndpointFile {
  readonly #options: EndpointFileOptions;
  #chainId: string | undefined;
  #node: NodeEndpoint | null = null;
  #apps: AppsEndpoint | null = null;

  /** One app uses a profile at a time: a file that is there is of one that was killed. */
  constructor(options: EndpointFileOptions) {
    this.#options = options;
    try {
      rmSync(options.path, { force: true });
    } catch (error) {
      options.note(error);
    }
  }

  /** The node serves, or no longer does. */
  setNode(node: (NodeEndpoint & { readonly chainId: string }) | undefined): void {
    if (node === undefined && this.#node === null) return;
    if (node !== undefined) this.#chainId = node.chainId;
    this.#node = node === undefined ? null : { url: node.url, secret: node.secret };
    this.#write();
  }

  /** The gateway serves, or no longer does. */
  setApps(apps: AppsEndpoint | null): void {
    this.#apps = apps;
    this.#write();
  }

  /** Takes the file away, unless another process has written it since. */
  remove(): void {
    this.#chainId = undefined;
    const { path, pid } = this.#options;
    try {
      if (parseLocalEndpoint(readFileSync(path, "utf8"))?.pid === pid) rmSync(path, { force: true });
    } catch {
      // There was none.
    }
  }

  /** Nothing is written before the chain is known, nor after the end. */
  #write(): void {
    if (this.#chainId === undefined) return;
    const { path, pid, note } = this.#options;
    try {
      replaceFile(path, formatLocalEndpoint({ chainId: this.#chainId, apps: this.#apps, node: this.#node, pid }));
    } catch (error) {
      note(error);
    }
  }
}
