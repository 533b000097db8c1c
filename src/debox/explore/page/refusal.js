// What a link says that cannot be shown, in one line.

import { html } from "./dom.js";

const LONGEST_SAID = 60;

/** A line about parts of the address that are not followed; nothing if there are none */
export function refusal(texts) {
  if (!texts.length) return "";
  const said = texts.map((text) => (text.length > LONGEST_SAID ? `${text.slice(0, LONGEST_SAID)}…` : text));
  return html("p", { class: "soft refusal", role: "status" }, `The link asks for what this page does not have: ${said.join("; ")}. The usual is shown instead.`);
}
