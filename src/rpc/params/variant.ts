import type { JsonValue } from '../../json/json-value.ts';
import { invalidType, ParamFault, type ParamReader } from './param-reader.ts';

/**
 * A Rust enum without contents: the name of the variant as a string, or, as serde_json also accepts, an
 * object with that name as its only member and null as the value.
 */
export function variant<const Names extends readonly string[]>(names: Names): ParamReader<Names[number]> {
  const list = names.map((name) => `\`${name}\``);
  const expected = list.length === 2 ? list.join(' or ') : `one of ${list.join(', ')}`;
  return (value) => {
    const [name, content] = nameAndContent(value);
    if (!names.includes(name)) throw new ParamFault(`unknown variant \`${name}\`, expected ${expected}`);
    if (content !== null) throw invalidType(content, 'unit');
    return name;
  };
}

function nameAndContent(value: JsonValue): readonly [string, JsonValue] {
  if (typeof value === 'string') return [value, null];
  if (!(value instanceof Map)) throw invalidType(value, 'string or map');
  const [member, ...others] = value;
  if (member === undefined || others.length > 0) {
    throw new ParamFault('invalid value: map, expected map with a single key');
  }
  return member;
}
