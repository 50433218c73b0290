/**
 * The value of an external JSON text; undefined if it is not JSON. The parser's error is dropped: it quotes
 * the text, which may be secret.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
