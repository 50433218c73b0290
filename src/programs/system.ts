import type { Address } from '../solana/address.ts';
import { writable, writableSigner, type Instruction } from '../solana/instruction.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';

/** `Transfer` (u32 tag 2): moves lamports between system accounts. */
export function transferLamports(source: Address, destination: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, lamports, true);
  return { programId: SYSTEM_PROGRAM, accounts: [writableSigner(source), writable(destination)], data };
}
