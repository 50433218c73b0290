import type { Address } from '../../../solana/address.ts';
import { readonly, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { SYSTEM_PROGRAM } from '../../addresses.ts';
import { u64 } from '../../instruction-data.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, delegationMetas, TAG } from './call.ts';

/** Tag 23: creates the rent PDA, which sponsors the rents of shuttles; does nothing when it is there. */
export function initRentPda(accounts: { payer: Address; rentPda: Address }): Instruction {
  return call(TAG.initRentPda, [
    writableSigner(accounts.payer),
    writable(accounts.rentPda),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/**
 * Tag 20: sends `lamports` to a delegated account by a carrier that the rent PDA sponsors. `lamportsPda` is that of
 * payer, destination and `salt` (32 bytes); `delegation` belongs to it.
 */
export function sponsorLamportsTransfer(
  accounts: {
    payer: Address;
    rentPda: Address;
    lamportsPda: Address;
    delegation: DelegationAccounts;
    destination: Address;
    destinationRecord: Address;
  },
  lamports: bigint,
  salt: Uint8Array,
): Instruction {
  return call(
    TAG.sponsorLamportsTransfer,
    [
      writableSigner(accounts.payer),
      writable(accounts.rentPda),
      writable(accounts.lamportsPda),
      ...delegationMetas(accounts.delegation),
      readonly(SYSTEM_PROGRAM),
      writable(accounts.destination),
      readonly(accounts.destinationRecord),
    ],
    u64(lamports),
    salt,
  );
}
