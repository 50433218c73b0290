import type { JsonOutput } from '../../json/json-value.ts';
import { decodeLoaderState } from '../../programs/loader-state.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/**
 * Shows an account of the upgradeable loader as Agave does (`parse_bpf_upgradeable_loader`).
 *
 * @throws {Unparsable}
 */
export function parseUpgradeableLoaderState({ data }: AccountBytes): JsonOutput {
  const state = decodeLoaderState(data);
  if (state.type === 'uninitialized') return state;
  if (state.type === 'program') return { info: { programData: state.programData }, type: state.type };
  const { type, authority, bytes } = state;
  const shown = { authority, data: [new ByteReader(bytes).base64(), 'base64'] };
  return { info: state.type === 'buffer' ? shown : { ...shown, slot: state.slot }, type };
}
