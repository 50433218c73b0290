import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { QUEUE_TABLE } from '../table/queue.ts';

/** Tag 23: creates the rent PDA, which pays the rent of shuttles; does nothing if it exists. */
export const initRentPda = (accounts: AccountsOf<typeof QUEUE_TABLE.initRentPda>): Instruction =>
  encode(QUEUE_TABLE.initRentPda, accounts);

/**
 * Tag 20: sends `lamports` to a delegated account through a carrier whose rent the rent PDA pays.
 * `lamportsPda` is derived from payer, destination and `salt` (32 bytes); `delegation` is that of the
 * carrier.
 */
export const sponsorLamportsTransfer = (
  accounts: AccountsOf<typeof QUEUE_TABLE.sponsorLamportsTransfer>,
  lamports: bigint,
  salt: Uint8Array,
): Instruction => encode(QUEUE_TABLE.sponsorLamportsTransfer, accounts, { lamports, salt });
