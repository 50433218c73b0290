import type { Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, MAGIC_CONTEXT, MAGIC_PROGRAM, SYSTEM_PROGRAM } from '../../addresses.ts';
import { trailing, u32, u8 } from '../../instruction-data.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, delegationMetas, TAG, type ShuttleAccounts } from './call.ts';

/** Tag 11: creates an empty shuttle of the owner. `shuttleId` (u32) must be fresh for owner and mint. */
export function initShuttle(
  accounts: {
    payer: Address;
    shuttle: ShuttleAccounts;
    owner: Address;
    mint: Address;
    tokenProgram: Address;
  },
  shuttleId: number,
): Instruction {
  return call(
    TAG.initShuttle,
    [
      writableSigner(accounts.payer),
      writable(accounts.shuttle.metadata),
      writable(accounts.shuttle.eata),
      writable(accounts.shuttle.walletAta),
      readonly(accounts.owner),
      readonly(accounts.mint),
      readonly(accounts.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    u32(shuttleId),
  );
}

/** Tag 13: hands a shuttle over to a validator. `delegation` belongs to the shuttle's eATA. */
export function delegateShuttle(
  accounts: {
    payer: Address;
    shuttle: Omit<ShuttleAccounts, 'walletAta'>;
    delegation: DelegationAccounts;
  },
  validator: Address | null,
): Instruction {
  return call(
    TAG.delegateShuttle,
    [
      writableSigner(accounts.payer),
      readonly(accounts.shuttle.metadata),
      writable(accounts.shuttle.eata),
      ...delegationMetas(accounts.delegation),
      readonly(SYSTEM_PROGRAM),
    ],
    trailing(validator),
  );
}

/**
 * Tag 14, sent to the rollup: gives a shuttle back and closes it; what is left in it goes to the owner's ATA, its rent
 * to the rent PDA. `escrowIndex` (u8) chooses the escrow that pays, null leaves it to the program.
 */
export function undelegateAndCloseShuttle(
  accounts: {
    payer: Address;
    rentPda: Address;
    shuttle: ShuttleAccounts;
    ownerAta: Address;
    tokenProgram: Address;
  },
  escrowIndex: number | null,
): Instruction {
  return call(
    TAG.undelegateAndCloseShuttle,
    [
      writableSigner(accounts.payer),
      writable(accounts.rentPda),
      readonly(accounts.shuttle.metadata),
      readonly(accounts.shuttle.eata),
      writable(accounts.shuttle.walletAta),
      writable(accounts.ownerAta),
      readonly(accounts.tokenProgram),
      writable(MAGIC_CONTEXT),
      readonly(MAGIC_PROGRAM),
    ],
    ...(escrowIndex === null ? [] : [u8(escrowIndex)]),
  );
}

/** Tag 15, sent to the rollup: moves what a shuttle carries into an ATA. */
export function mergeShuttle(accounts: {
  owner: Address;
  destinationAta: Address;
  shuttle: Omit<ShuttleAccounts, 'eata'>;
  mint: Address;
  tokenProgram: Address;
}): Instruction {
  return call(TAG.mergeShuttle, [
    signer(accounts.owner),
    writable(accounts.destinationAta),
    readonly(accounts.shuttle.metadata),
    writable(accounts.shuttle.walletAta),
    readonly(accounts.mint),
    readonly(accounts.tokenProgram),
  ]);
}
