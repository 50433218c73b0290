import { decodeLookupTable, EMPTY_TABLE_BYTES } from '../../programs/lookup-table.ts';
import { viewOf } from '../../solana/view-of.ts';
import type { DecodedAccount } from '../answers.ts';
import { AccountForm } from './account-form.ts';

/** Addresses of a lookup table that are shown; a table holds no more. */
const ADDRESSES_MAX = 256;

/** `UpgradeableLoaderState` of `solana-loader-v3-interface`: a tag u32, then the fields of each. */
const LOADER_TAGS = { buffer: 1, program: 2, programData: 3 } as const;
const PROGRAM_BYTES = 36;
const BUFFER_BYTES_MIN = 37;
const PROGRAM_DATA_BYTES_MIN = 45;

/** Decodes a wallet: whatever the system program has no data in. */
export function decodeSystem(data: Uint8Array): DecodedAccount | null {
  return data.length === 0 ? new AccountForm(data).as('system') : null;
}

export function decodeTable(data: Uint8Array): DecodedAccount | null {
  const table = decodeLookupTable(data);
  if (table === null) return null;
  const form = new AccountForm(data)
    .u32('tag', 'Kind', 0)
    .u64('deactivationSlot', 'Deactivated in slot', 4, 'slot')
    .u64('lastExtendedSlot', 'Last extended in slot', 12, 'slot')
    .u8('lastExtendedFrom', 'From address', 20)
    .optionalAddress('authority', 'Who may extend it', 21, 1);
  for (const index of table.addresses.slice(0, ADDRESSES_MAX).keys()) {
    form.address(`address${index}`, `Address ${index}`, EMPTY_TABLE_BYTES + index * 32);
  }
  return form.as('lookup-table');
}

/** Decodes an account of the upgradeable loader. */
export function decodeUpgradeable(data: Uint8Array): DecodedAccount | null {
  if (data.length < PROGRAM_BYTES) return null;
  const tag = viewOf(data).getUint32(0, true);
  const form = new AccountForm(data).u32('tag', 'Kind', 0);
  if (tag === LOADER_TAGS.program && data.length === PROGRAM_BYTES) {
    return form.address('programData', 'Its code', 4).as('program');
  }
  if (tag === LOADER_TAGS.buffer && data.length >= BUFFER_BYTES_MIN && hasOption(data, 4)) {
    return form.optionalAddress('authority', 'Who may write it', 4, 1).as('buffer');
  }
  if (tag !== LOADER_TAGS.programData || data.length < PROGRAM_DATA_BYTES_MIN || !hasOption(data, 12))
    return null;
  return form
    .u64('slot', 'Deployed in slot', 4, 'slot')
    .optionalAddress('authority', 'Who may upgrade it', 12, 1)
    .as('program-data');
}

/** An account of a loader that is no longer deployed with is all code. */
export function decodeFinalProgram(data: Uint8Array): DecodedAccount | null {
  // An ELF file begins with these bytes.
  const isElf = Buffer.from(data.subarray(0, 4)).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
  return isElf ? new AccountForm(data).as('program') : null;
}

const hasOption = (data: Uint8Array, offset: number): boolean => (data[offset] as number) <= 1;
