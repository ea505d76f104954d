import { describe, expect, it } from "vitest";
import { readEnvironment } from "#node/config/environment.ts";

describe("readEnvironment", () => {
  it("leaves out what is unset or empty", () => {
    expect(readEnvironment({ SVC_API_TOKEN: "", PATH: "/bin" })).toEqual({ isLaunched: false });
  });

  it("reads every variable", () => {
    const variables = {
      SVC_API_TOKEN: "secret",
      SVC_API_PRIVATE: "true",
      SVC_DISABLE_UI: "TRUE",
      SVC_DISABLE_SWAGGER: "false",
      SVC_ALLOWED_ORIGINS: "https://a.example, https://b.example,",
      SVC_ALLOWED_HOSTS: "node.example",
      SVC_RATE_LIMIT_LOOPBACK: "1",
      SVC_INBOX_AUTH: "open",
      SVC_UPDATE_URL: "https://a.example/latest",
      PARLEY_KEY_PASSWORD: "pass word",
      PARLEY_LAUNCHED: "1",
    };
    expect(readEnvironment(variables)).toEqual({
      apiToken: "secret",
      apiPrivate: true,
      disableUi: true,
      disableSwagger: false,
      allowedOrigins: ["https://a.example", "https://b.example"],
      allowedHosts: ["node.example"],
      rateLimitLoopback: true,
      inboxAuth: "open",
      updateUrl: "https://a.example/latest",
      keyPassword: "pass word",
      isLaunched: true,
    });
  });

  it.each(["true", "TRUE", "yes", "Yes", "on", "1", " true "])("takes %j as true", (word) => {
    expect(readEnvironment({ SVC_DISABLE_UI: word }).disableUi).toBe(true);
  });

  it.each(["false", "no", "off", "OFF", "0"])("takes %j as false", (word) => {
    expect(readEnvironment({ SVC_DISABLE_UI: word }).disableUi).toBe(false);
  });

  it.each([
    [{ SVC_API_PRIVATE: "maybe" }, 'SVC_API_PRIVATE is "maybe": write true or false (yes, no, on, off, 1 and 0 mean the same)'],
    [{ SVC_INBOX_AUTH: "none" }, 'SVC_INBOX_AUTH is "none": write proof or open'],
  ])("refuses %j", (variables, message) => {
    expect(() => readEnvironment(variables)).toThrow(message);
  });
});
