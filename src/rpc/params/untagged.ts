import { ParamFault, type ParamReader } from './param-reader.ts';

/**
 * A Rust enum with `#[serde(untagged)]`: the first reader that accepts the value decides. If none does,
 * serde's message has only the name of the enum.
 */
export function untagged<T>(name: string, variants: readonly ParamReader<T>[]): ParamReader<T> {
  return (value) => {
    for (const read of variants) {
      try {
        return read(value);
      } catch (error) {
        // Any other error is a bug and must not pass for a mismatch.
        if (!(error instanceof ParamFault)) throw error;
      }
    }
    throw new ParamFault(`data did not match any variant of untagged enum ${name}`);
  };
}
