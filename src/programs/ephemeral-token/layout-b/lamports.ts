import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { QUEUE_TABLE } from '../table/queue.ts';

/** Tag 23: creates the rent PDA, which sponsors the rents of shuttles; does nothing when it is there. */
export const initRentPda = (accounts: AccountsOf<typeof QUEUE_TABLE.initRentPda>): Instruction =>
  encode(QUEUE_TABLE.initRentPda, accounts);

/**
 * Tag 20: sends `lamports` to a delegated account by a carrier that the rent PDA sponsors. `lamportsPda` is that of
 * payer, destination and `salt` (32 bytes); `delegation` belongs to it.
 */
export const sponsorLamportsTransfer = (
  accounts: AccountsOf<typeof QUEUE_TABLE.sponsorLamportsTransfer>,
  lamports: bigint,
  salt: Uint8Array,
): Instruction => encode(QUEUE_TABLE.sponsorLamportsTransfer, accounts, { lamports, salt });
