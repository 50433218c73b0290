import type { AccountView } from '../../ledger/state/account-state.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { decodeShuttle, recoverShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata } from '../../programs/ephemeral-token/state.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { readDelegationState } from './delegation-state.ts';
import { commitmentInstructions } from './settlement-transaction.ts';
import { type MintKeys, vaultAtaOf } from './solvency.ts';

type Base = Pick<AccountView, 'get'>;

/**
 * Gives a delegated account back as it is on base. A shuttle's tokens then go to its owner's ATA, which is
 * made where there is none. Null when the delegation cannot be read.
 */
export function rescueInstructions(account: Address, base: Base, validator: Address): Instruction[] | null {
  const state = readDelegationState(account, base);
  const held = base.get(account);
  if (state === null || held === undefined) return null;
  const back = commitmentInstructions({ ...state, data: held.data, isUndelegation: true }, validator);
  const eata = decodeEata(held.data);
  return [...back, ...(eata === null ? [] : recovery(account, eata, base, validator))];
}

/** The mint whose tokens a delegated account stands for; null when it is no eATA. */
export function rescuedMint(account: Address, base: Base): MintKeys | null {
  const held = base.get(account);
  const mint = held === undefined ? undefined : decodeEata(held.data)?.mint;
  const tokenProgram = mint === undefined ? undefined : base.get(mint)?.owner;
  return mint === undefined || !isTokenProgram(tokenProgram) ? null : { mint, tokenProgram };
}

/** What empties and closes the shuttle of an eATA; nothing when the eATA is no shuttle's. */
function recovery(shuttleEata: Address, { owner, mint }: Eata, base: Base, payer: Address): Instruction[] {
  const metadata = base.get(owner);
  const shuttle = metadata?.owner === EPHEMERAL_TOKEN_PROGRAM ? decodeShuttle(metadata.data) : null;
  const tokenProgram = base.get(mint)?.owner;
  if (shuttle === null || !isTokenProgram(tokenProgram)) return [];
  const destinationAta = deriveAta(shuttle.owner, mint, tokenProgram).address;
  return [
    createAtaIdempotent({ payer, ata: destinationAta, owner: shuttle.owner, mint, tokenProgram }),
    recoverShuttle({
      rentRefund: shuttle.rentRefund,
      shuttle: {
        metadata: owner,
        eata: shuttleEata,
        walletAta: deriveAta(owner, mint, tokenProgram).address,
      },
      destinationAta,
      mint,
      vault: deriveVault(mint).address,
      vaultAta: vaultAtaOf({ mint, tokenProgram }),
      tokenProgram,
    }),
  ];
}
