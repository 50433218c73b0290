import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import type { Pda } from '../../../solana/pda.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../addresses.ts';
import { deriveAta } from '../../associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../delegation/pdas.ts';
import { concat, u8 } from '../../instruction-data.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import { sealedFields, type SealedTransfer } from '../../private-transfer/seal-transfer.ts';
import { deriveEata, deriveShuttleMetadata, deriveTransferQueue, deriveVault } from '../pdas.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';

/** Bumps of the accounts of the scheduled transfer. The scheduler cannot afford to derive them. */
interface SwapBumps {
  readonly stash: number;
  readonly shuttle: number;
  readonly shuttleEata: number;
  readonly shuttleWalletAta: number;
  /** The three delegation accounts of the shuttle's eATA. */
  readonly buffer: number;
  readonly record: number;
  readonly metadata: number;
  readonly vault: number;
  readonly vaultAta: number;
  readonly stashAta: number;
  readonly queue: number;
}

/** Derives the bumps of a transfer from `stash` to the queue of `mint` on `validator`. */
export function deriveSwapBumps(transfer: {
  stash: Pda;
  mint: Address;
  shuttleId: number;
  validator: Address;
  tokenProgram: Address;
}): SwapBumps {
  const { stash, mint, tokenProgram } = transfer;
  // The stash owns the shuttle.
  const shuttle = deriveShuttleMetadata(stash.address, mint, transfer.shuttleId);
  const shuttleEata = deriveEata(shuttle.address, mint);
  const vault = deriveVault(mint);
  return {
    stash: stash.bump,
    shuttle: shuttle.bump,
    shuttleEata: shuttleEata.bump,
    shuttleWalletAta: deriveAta(shuttle.address, mint, tokenProgram).bump,
    buffer: deriveDelegateBuffer(shuttleEata.address, EPHEMERAL_TOKEN_PROGRAM).bump,
    record: deriveDelegationRecord(shuttleEata.address).bump,
    metadata: deriveDelegationMetadata(shuttleEata.address).bump,
    vault: vault.bump,
    vaultAta: deriveAta(vault.address, mint, tokenProgram).bump,
    stashAta: deriveAta(stash.address, mint, tokenProgram).bump,
    queue: deriveTransferQueue(mint, transfer.validator).bump,
  };
}

/** Schedules a private transfer of a swap's output from the owner's stash, run by Hydra (tag 29). */
export function scheduleSwapTransfer(
  accounts: AccountsOf<typeof SHUTTLE_TABLE.scheduleSwapTransfer>,
  transfer: { shuttleId: number; mint: Address; bumps: SwapBumps; sealed: SealedTransfer },
): Instruction {
  const { shuttleId, mint, bumps, sealed } = transfer;
  return encode(SHUTTLE_TABLE.scheduleSwapTransfer, accounts, {
    shuttleId,
    stashBump: bumps.stash,
    mint,
    bumps: concat(
      u8(bumps.shuttle),
      u8(bumps.shuttleEata),
      u8(bumps.shuttleWalletAta),
      u8(bumps.buffer),
      u8(bumps.record),
      u8(bumps.metadata),
      u8(bumps.vault),
      u8(bumps.vaultAta),
      u8(bumps.stashAta),
      u8(bumps.queue),
    ),
    ...sealedFields(sealed),
  });
}
