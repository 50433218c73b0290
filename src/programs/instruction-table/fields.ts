import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import type { FieldCodec, FieldValue } from './field-codec.ts';

/** The fields of an instruction, in encoding order. */
export type Fields = Readonly<Record<string, FieldCodec>>;

/** The values of fields; null for an optional field that is missing. Constant fields are omitted. */
export type FieldValues<F extends Fields> = {
  readonly [N in keyof F as F[N] extends { constant: number } ? never : N]: F[N] extends FieldCodec<infer V>
    ? F[N] extends { optional: true }
      ? V | null
      : V
    : never;
};

/** The values of fields by name; missing optional fields have no entry. */
export type FieldMap = ReadonlyMap<string, FieldValue>;

/** Reads the fields in `data` from `at`; null unless they take exactly the remaining bytes. */
export function readFields(fields: Fields, data: Uint8Array, at: number): FieldMap | null {
  const read = readLeadingFields(fields, data, at);
  return read !== null && read.remaining === 0 ? read.values : null;
}

/** Reads the fields in `data` from `at` and counts the bytes after them; null if they do not fit. */
export function readLeadingFields(
  fields: Fields,
  data: Uint8Array,
  at: number,
): { readonly values: FieldMap; readonly remaining: number } | null {
  const reader = new ByteReader(data.subarray(at));
  const values = tryParse(() => {
    const read = new Map<string, FieldValue>();
    for (const [name, codec] of Object.entries(fields)) {
      // Optional fields are the last ones, so nothing can follow.
      if (codec.optional && reader.remaining === 0) break;
      read.set(name, codec.read(reader));
    }
    return read;
  });
  return values === undefined ? null : { values, remaining: reader.remaining };
}

/** Decodes `data` that consists of exactly these fields; null otherwise. */
export function decodeFields<F extends Fields>(fields: F, data: Uint8Array): FieldValues<F> | null {
  const values = readFields(fields, data, 0);
  if (values === null) return null;
  const named = Object.keys(fields).map((name) => [name, values.get(name) ?? null] as const);
  return Object.fromEntries(named) as FieldValues<F>;
}

/**
 * Writes the fields.
 *
 * @throws {RangeError} if a value does not fit its field.
 */
export function writeFields<F extends Fields>(fields: F, values: FieldValues<F>): Uint8Array[] {
  const given = values as Readonly<Record<string, FieldValue>>;
  const written: Uint8Array[] = [];
  for (const name in fields) {
    const codec = fields[name] as FieldCodec;
    const value = codec.constant ?? (given[name] as FieldValue);
    if (codec.optional !== true || value !== null) written.push(codec.write(value));
  }
  return written;
}
