import { nestsDeeperThan } from './json-text.ts';

/** How deep arrays and objects of others may nest: as deep as with serde_json, which ledgers use. */
export const NESTING_MAX = 127;

/**
 * The value of an external JSON text; undefined if it is not JSON, or nests deeper than {@link NESTING_MAX}.
 * The parser's error is dropped: it quotes the text, which may be secret.
 */
export function tryParseJson(text: string): unknown {
  try {
    return nestsDeeperThan(text, NESTING_MAX) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
