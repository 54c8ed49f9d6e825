import { type Loose, looseList, looseRecord, looseText } from "../../wire/index.ts";
import type { McpCalled } from "../types.ts";
import { outsideLine, outsideText } from "./words.ts";

/** How much of an answer reaches the model, its beginning and its end. */
const mostCharacters = 40_000;

/** What a tool answered, as text. An answer of another shape is what can be read of it. */
export function toolAnswer(result: unknown): McpCalled {
  const { content, structuredContent, isError } = looseRecord(result);
  const parts = looseList(content).map((part) => partText(looseRecord(part)));
  const hasText = looseList(content).some((part) => looseText(looseRecord(part)["text"]) !== "");
  // A structure beside text says the same again; alone, it is the answer. Not indented: that grows with the square of its depth.
  if (!hasText && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return { text: bounded(parts), isError: isError === true };
}

export function resourceAnswer(result: unknown): McpCalled {
  const parts = looseList(looseRecord(result)["contents"]).map((part) => resourceText(looseRecord(part)));
  return { text: bounded(parts), isError: false };
}

/** A prompt of a server: what a person would say, so the words of its messages one after the other. */
export function promptAnswer(result: unknown): McpCalled {
  const parts = looseList(looseRecord(result)["messages"]).map((each) => {
    const { role, content } = looseRecord(each);
    const text = partText(looseRecord(content));
    return role === "assistant" ? `(answered before: ${text})` : text;
  });
  return { text: bounded(parts), isError: false };
}

/** The text of a message to a model that a server wants to have asked. */
export function messageText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return bounded(parts.map((part) => partText(looseRecord(part))));
}

function partText(part: Loose): string {
  switch (part["type"]) {
    case "text":
      return looseText(part["text"]);
    case "image":
    case "audio":
      return blobText(looseText(part["type"]), part["mimeType"], part["data"]);
    case "resource":
      return resourceText(looseRecord(part["resource"]));
    case "resource_link":
      return `[link ${outsideLine(looseText(part["name"]), 200)}: ${outsideLine(looseText(part["uri"]), 1_000)}]`;
    default:
      return "[a part of a kind that is not known]";
  }
}

function resourceText(resource: Loose): string {
  const { text, mimeType, blob } = resource;
  return typeof text === "string" ? text : blobText("resource", mimeType, blob);
}

function blobText(kind: string, type: unknown, data: unknown): string {
  const encoded = looseText(data).replace(/=+$/, "").length;
  const bytes = Math.floor((encoded * 3) / 4).toLocaleString("en-US");
  return `[${kind} ${outsideLine(looseText(type), 100) || "of unknown type"}, ${bytes} bytes]`;
}

function bounded(parts: readonly string[]): string {
  const text = parts.join("\n");
  if (text.length <= mostCharacters) return outsideText(text, mostCharacters);
  const half = mostCharacters / 2;
  const left = (text.length - mostCharacters).toLocaleString("en-US");
  const note = `[… ${left} characters are left out here …]`;
  return [outsideText(text.slice(0, half), half), note, outsideText(text.slice(-half), half)].join("\n");
}
