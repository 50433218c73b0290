import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import type { FieldCodec, FieldValue } from './field-codec.ts';

/** The fields of an instruction, in the order they are written in. */
export type Fields = Readonly<Record<string, FieldCodec>>;

/** What fields hold; null stands for one that may be missing and is. Those that are always the same are left out. */
export type FieldValues<F extends Fields> = {
  readonly [N in keyof F as F[N] extends { constant: number } ? never : N]: F[N] extends FieldCodec<infer V>
    ? F[N] extends { optional: true }
      ? V | null
      : V
    : never;
};

/** What fields hold by their names; one that may be missing and is has none. */
export type FieldMap = ReadonlyMap<string, FieldValue>;

/** The fields in `data` from `at`, null when they do not take exactly the bytes there are. */
export function readFields(fields: Fields, data: Uint8Array, at: number): FieldMap | null {
  const read = readLeadingFields(fields, data, at);
  return read !== null && read.remaining === 0 ? read.values : null;
}

/** The fields in `data` from `at` and how many bytes stand behind them; null when they are not there. */
export function readLeadingFields(
  fields: Fields,
  data: Uint8Array,
  at: number,
): { readonly values: FieldMap; readonly remaining: number } | null {
  const reader = new ByteReader(data.subarray(at));
  const values = tryParse(() => {
    const read = new Map<string, FieldValue>();
    for (const [name, codec] of Object.entries(fields)) {
      if (codec.optional && reader.remaining === 0) break;
      read.set(name, codec.read(reader));
    }
    return read;
  });
  return values === undefined ? null : { values, remaining: reader.remaining };
}

/** What `data` hold that are nothing but these fields; null when they are not. */
export function decodeFields<F extends Fields>(fields: F, data: Uint8Array): FieldValues<F> | null {
  const values = readFields(fields, data, 0);
  if (values === null) return null;
  const named = Object.keys(fields).map((name) => [name, values.get(name) ?? null] as const);
  return Object.fromEntries(named) as FieldValues<F>;
}

/**
 * The bytes of each field.
 *
 * @throws {RangeError} when a value does not fit its field.
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
