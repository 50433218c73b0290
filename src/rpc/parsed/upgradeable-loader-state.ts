import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/**
 * Shows an account of the upgradeable loader as Agave does (`parse_bpf_upgradeable_loader`):
 * `UpgradeableLoaderState` in bincode, followed by the program's bytes if it stores any.
 *
 * @throws {Unparsable}
 */
export function parseUpgradeableLoaderState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  switch (reader.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1: {
      const authority = reader.option(() => reader.address());
      return { info: { authority, data: programBytes(reader) }, type: 'buffer' };
    }
    case 2:
      return { info: { programData: reader.address() }, type: 'program' };
    case 3: {
      const slot = reader.u64();
      const authority = reader.option(() => reader.address());
      return { info: { authority, data: programBytes(reader), slot }, type: 'programData' };
    }
    default:
      throw new Unparsable('unknown state');
  }
}

/**
 * What follows the state. Agave reads from the end of the state on, even if an absent authority leaves
 * reserved bytes there.
 */
const programBytes = (reader: ByteReader): JsonOutput => [reader.base64(), 'base64'];
