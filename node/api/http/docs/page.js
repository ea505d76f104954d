// Lists the endpoints of /swagger/openapi.json and lets the reader call them.

const tokenField = document.getElementById("token");
const endpoints = document.getElementById("endpoints");

/** An element with text, class and children. */
function element(name, { text, className, ...fields } = {}, children = []) {
  const node = Object.assign(document.createElement(name), fields);
  if (text !== undefined) node.textContent = text;
  if (className !== undefined) node.className = className;
  node.append(...children);
  return node;
}

function headers(extra = {}) {
  return tokenField.value === "" ? extra : { ...extra, authorization: `Bearer ${tokenField.value}` };
}

/** The schema with references filled in, to be read by people. */
function expand(schema, components) {
  if (Array.isArray(schema)) return schema.map((item) => expand(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  if (schema.$ref !== undefined) return expand(components[schema.$ref.split("/").pop()], components);
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, expand(value, components)]));
}

function jsonSchema(content) {
  return content?.["application/json"]?.schema;
}

function requestOf({ path, method, operation }, form) {
  const values = new FormData(form);
  const query = new URLSearchParams();
  let url = path;
  for (const { name, in: place } of operation.parameters ?? []) {
    const value = String(values.get(name) ?? "");
    if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  const search = query.toString();
  const init =
    operation.requestBody === undefined
      ? { method: method.toUpperCase(), headers: headers() }
      : { method: method.toUpperCase(), headers: headers({ "content-type": "application/json" }), body: String(values.get("body")) };
  return { url: search === "" ? url : `${url}?${search}`, init };
}

function callForm(endpoint) {
  const { operation } = endpoint;
  const output = element("pre");
  const fields = (operation.parameters ?? []).map(({ name, required, description = "" }) =>
    element("label", { text: `${name}${required ? " *" : ""} ${description}` }, [element("input", { name, required })]),
  );
  if (operation.requestBody !== undefined)
    fields.push(element("label", { text: "Body" }, [element("textarea", { name: "body", value: "{}" })]));
  const form = element("form", {}, [...fields, element("button", { text: "Send" }), output]);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { url, init } = requestOf(endpoint, form);
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      output.textContent = `${response.status} ${init.method} ${url}\n${pretty(text)}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
  return form;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function endpointCard(endpoint, components) {
  const { path, method, operation } = endpoint;
  const answer = expand(jsonSchema(operation.responses["200"]?.content), components);
  const body = expand(jsonSchema(operation.requestBody?.content), components);
  const shown = { ...(body === undefined ? {} : { body }), ...(answer === undefined ? {} : { answer }) };
  return element("details", {}, [
    element("summary", {}, [
      element("span", { className: "method", text: method.toUpperCase() }),
      element("code", { text: path }),
      ` ${operation.summary}`,
    ]),
    ...(answer === undefined ? [] : [callForm(endpoint)]),
    element("pre", { text: JSON.stringify(shown, null, 2) }),
  ]);
}

async function show() {
  const response = await fetch("/swagger/openapi.json", { headers: headers() });
  const document_ = await response.json();
  if (!response.ok) throw new Error(document_.error);
  document.getElementById("title").textContent = `${document_.info.title} ${document_.info.version}`;
  document.getElementById("description").textContent = document_.info.description;
  const tags = new Map();
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags;
      tags.set(tag, [...(tags.get(tag) ?? []), endpointCard({ path, method, operation }, document_.components.schemas)]);
    }
  }
  endpoints.replaceChildren(...[...tags].map(([tag, cards]) => element("section", {}, [element("h2", { text: tag }), ...cards])));
  endpoints.ariaBusy = "false";
}

function reload() {
  show().catch((error) => endpoints.replaceChildren(element("p", { className: "error", text: error.message })));
}

tokenField.addEventListener("change", reload);
reload();
