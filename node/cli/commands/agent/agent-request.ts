// What the command line asks of the agent's program, which is a process of its own: no password is ever in it.

/** What every request names. */
export interface AgentPlace {
  /** Folder of the agent. */
  readonly dir: string;
  /** File whose first line is the password. */
  readonly passwordFile?: string;
  readonly json: boolean;
}

/** How the agent finds its node. */
export interface AgentNodeOptions {
  /** Address of a node. */
  readonly node?: string;
  /** `endpoint.json` of an own node. */
  readonly endpoint?: string;
  /** File with the token of the node. */
  readonly tokenFile?: string;
}

/** A request. */
export type AgentRequest = AgentPlace &
  (
    | { readonly command: "init"; readonly typesPhrase: boolean /** New file for the words. */; readonly phraseOut?: string }
    | ({ readonly command: "link"; readonly name: string } & AgentNodeOptions)
    | ({ readonly command: "run"; readonly unlock: "messages" | "wallet"; readonly listen?: string } & AgentNodeOptions)
    | ({ readonly command: "publish"; readonly name: string } & AgentNodeOptions)
    | ({
        readonly command: "allow";
        readonly name: string;
        readonly scopes: readonly string[];
        readonly chosen: readonly string[];
        readonly days: number;
        /** File that gets the token. */
        readonly out: string;
      } & AgentNodeOptions)
    | { readonly command: "list" }
    | { readonly command: "end" | "confirm"; readonly connection: string }
  );

/** Runs the agent's program; resolves with its exit code. */
export type RunAgent = (request: AgentRequest) => Promise<number>;
