// How the interface is opened: who may use it, and what it serves. Made by the composition root from the configuration.
import { API_LIMITS, type ApiLimits } from "./limits.ts";

/** Options of the server. */
export interface ApiOptions {
  /** Host that the server listens on, as given; `::` and `0.0.0.0` are all interfaces. */
  readonly listenHost: string;
  /** Token for writes (and for reads when private); undefined when everyone may. */
  readonly token?: string | undefined;
  /** True: every endpoint needs the token. Without a token it has no effect. */
  readonly isPrivate?: boolean;
  /** Secret of this start, for programs of the node's owner: it opens everything. */
  readonly localSecret?: string | undefined;
  /** `chain`: without token or secret only what is public on the chain can be read. */
  readonly openPart?: "all" | "chain";
  /** Further host names under which the node is reached. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use the node, such as https://wallet.example. */
  readonly allowedOrigins?: readonly string[];
  /** True: the rate limit holds for programs of this machine too. */
  readonly limitsLoopback?: boolean;
  /** False: no caller counts as a program of this machine, wherever it comes from. */
  readonly hasLocalPrograms?: boolean;
  /** `open`: every caller has the rights of a mailbox's owner. */
  readonly inboxAuth?: "proof" | "open";
  /** Addresses of reverse proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Folder of the built interface; undefined when it is not served. */
  readonly interfaceDir?: string | undefined;
  /** Serve /swagger and /swagger/openapi.json; true by default. */
  readonly servesSwagger?: boolean;
  readonly limits?: Partial<ApiLimits>;
}

/** Options with every default filled in. */
export interface ResolvedApiOptions extends Required<Omit<ApiOptions, "token" | "localSecret" | "interfaceDir" | "limits">> {
  readonly token: string | undefined;
  readonly localSecret: string | undefined;
  readonly interfaceDir: string | undefined;
  readonly limits: ApiLimits;
}

/** Fills in the defaults. */
export function resolveApiOptions(options: ApiOptions): ResolvedApiOptions {
  return {
    listenHost: options.listenHost,
    token: options.token,
    localSecret: options.localSecret,
    isPrivate: options.isPrivate ?? false,
    openPart: options.openPart ?? "all",
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    limitsLoopback: options.limitsLoopback ?? false,
    hasLocalPrograms: options.hasLocalPrograms ?? true,
    inboxAuth: options.inboxAuth ?? "proof",
    trustedProxies: options.trustedProxies ?? [],
    interfaceDir: options.interfaceDir,
    servesSwagger: options.servesSwagger ?? true,
    limits: { ...API_LIMITS, ...options.limits },
  };
}
