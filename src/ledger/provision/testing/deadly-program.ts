import { NOOP_PROGRAM } from '../../../programs/addresses.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { readProgramDump } from '../../genesis/dumps.ts';
import { accountOf } from '../../testing/make-account.ts';

/** `LoaderV4State`: slot u64, authority, status u64; the code follows. */
const LOADER_V4_HEADER_BYTES = 48;

/** Creates a program of loader v4. The engine loads it, but aborts the process when it is called. */
export function deadlyProgram(): Account {
  const code = readProgramDump(NOOP_PROGRAM);
  const data = new Uint8Array(LOADER_V4_HEADER_BYTES + code.length);
  data.set(code, LOADER_V4_HEADER_BYTES);
  const owner = 'LoaderV411111111111111111111111111111111111' as Address;
  return { ...accountOf(owner, data), executable: true };
}
