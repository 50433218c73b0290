import type { Address } from '../solana/address.ts';
import { ByteReader, Unparsable } from '../solana/byte-reader.ts';

/** An account of the upgradeable loader. `bytes` holds the program and any unused space. */
type LoaderState =
  | { readonly type: 'uninitialized' }
  | { readonly type: 'buffer'; readonly authority: Address | null; readonly bytes: Uint8Array }
  | { readonly type: 'program'; readonly programData: Address }
  | {
      readonly type: 'programData';
      readonly slot: bigint;
      readonly authority: Address | null;
      readonly bytes: Uint8Array;
    };

/**
 * Decodes an account of the upgradeable loader: `UpgradeableLoaderState` of `solana-loader-v3-interface` in
 * bincode. The program starts at a fixed offset, even if an absent authority leaves reserved bytes before it
 * (as in Agave's `parse_bpf_upgradeable_loader`).
 *
 * @throws {Unparsable}
 */
export function decodeLoaderState(data: Uint8Array): LoaderState {
  const reader = new ByteReader(data);
  const authority = (): Address | null => reader.option(() => reader.address());
  const bytes = (): Uint8Array => reader.take(reader.remaining);
  switch (reader.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1:
      return { type: 'buffer', authority: authority(), bytes: bytes() };
    case 2:
      return { type: 'program', programData: reader.address() };
    case 3:
      return { type: 'programData', slot: reader.u64(), authority: authority(), bytes: bytes() };
    default:
      throw new Unparsable('unknown state');
  }
}
