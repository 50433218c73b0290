import type { JsonValue } from '../../json/json-value.ts';
import { invalidType, ParamFault, type ParamReader } from './param-reader.ts';

/**
 * A variant of a {@link tagged} enum: the reader of its content, or the value of a variant without content.
 */
type TaggedVariant<T> = { readonly content: ParamReader<T> } | { readonly unit: T };

/**
 * A Rust enum with contents, as serde_json reads it: an object with a single member, named after the variant
 * and holding its content; or just the name for a variant without content.
 */
export function tagged<T>(variants: Readonly<Record<string, TaggedVariant<T>>>): ParamReader<T> {
  const names = Object.keys(variants).map((name) => `\`${name}\``);
  const expected = names.length === 2 ? names.join(' or ') : `one of ${names.join(', ')}`;
  return (value) => {
    const [name, content] = nameAndContent(value);
    // Not by plain access, which would find `constructor` and the like on the prototype.
    const variant = Object.hasOwn(variants, name) ? variants[name] : undefined;
    if (variant === undefined) throw new ParamFault(`unknown variant \`${name}\`, expected ${expected}`);
    if ('content' in variant) {
      if (content !== undefined) return variant.content(content);
      throw new ParamFault('invalid type: unit variant, expected newtype variant');
    }
    if (content !== undefined && content !== null) throw invalidType(content, 'unit');
    return variant.unit;
  };
}

function nameAndContent(value: JsonValue): readonly [string, JsonValue | undefined] {
  if (typeof value === 'string') return [value, undefined];
  if (!(value instanceof Map)) throw invalidType(value, 'string or map');
  const [member, ...others] = value;
  if (member === undefined || others.length > 0) {
    throw new ParamFault('invalid value: map, expected map with a single key');
  }
  return member;
}
