/**
 * The value of a JSON text from outside; undefined when it is none. What the parser has to say does not get
 * out: it would repeat parts of the text, which may be secret.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
