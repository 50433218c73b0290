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

/** The fields in `data` from `at`, null when they do not take exactly the bytes there are. One that is missing is not in it. */
export function readFields(
  fields: Fields,
  data: Uint8Array,
  at: number,
): ReadonlyMap<string, FieldValue> | null {
  const values = new Map<string, FieldValue>();
  let offset = at;
  for (const [name, codec] of Object.entries(fields)) {
    if (codec.optional && offset === data.length) break;
    const read = codec.read(data, offset);
    if (read === null) return null;
    values.set(name, read.value);
    offset = read.end;
  }
  return offset === data.length ? values : null;
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
