/** Longest arguments that are kept, characters of their JSON. */
const LENGTH_MAX = 4_096;

/** Names of members that prove who somebody is: what is signed to log in, tokens, keys. */
const SECRET_NAME = /token$|secret|password|^signature$|^challenge$|private_?key/i;

/** Tokens are long, and stand where their name is not: `?token=`, `Bearer`. */
const SECRET_TEXT = /(bearer\s+|[?&]token=)[^\s&"']+/gi;

/**
 * The arguments of a call as the list keeps them: without what would let its reader be somebody else, and
 * not longer than is read by people.
 */
export function keptArguments(args: unknown): unknown {
  let text: string;
  try {
    text = JSON.stringify(args, hideSecret) ?? 'null';
  } catch {
    return { notKept: 'they cannot be written as JSON' };
  }
  if (text.length > LENGTH_MAX) return { notKept: `they are ${text.length} characters long` };
  return JSON.parse(text) as unknown;
}

/** Mints are tokens as well, and their addresses no secrets. */
function hideSecret(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  // Objects of JSON-RPC are maps.
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value !== 'string') return value;
  return SECRET_NAME.test(name) ? '<secret>' : value.replaceAll(SECRET_TEXT, '$1<secret>');
}
