import { endOfString } from './parse-exact.ts';

const STRUCTURE = /["[\]{}]/g;
const NAME_END = /\s*:/y;

/**
 * Whether the object that a JSON text is has a member twice. `JSON.parse` takes the last of them and others
 * the first (RFC 8259, section 4), so that one answer could be two. What is inside the members does not
 * count.
 *
 * @param text JSON that can be parsed.
 */
export function hasRepeatedMember(text: string): boolean {
  const names = new Set<string>();
  let depth = 0;
  for (let at = nextStructure(text, 0); at >= 0;) {
    const end = text[at] === '"' ? endOfString(text, at) : at + 1;
    if (text[at] !== '"') depth += text[at] === '{' || text[at] === '[' ? 1 : -1;
    else if (depth === 1 && isName(text, end)) {
      const name = JSON.parse(text.slice(at, end)) as string;
      if (names.has(name)) return true;
      names.add(name);
    }
    at = nextStructure(text, end);
  }
  return false;
}

function nextStructure(text: string, from: number): number {
  STRUCTURE.lastIndex = from;
  return STRUCTURE.exec(text)?.index ?? -1;
}

/** Whether the string that is over at `end` is the name of a member, which a colon follows. */
function isName(text: string, end: number): boolean {
  NAME_END.lastIndex = end;
  return NAME_END.test(text);
}
