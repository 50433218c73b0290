import type { AccountView } from '../../ledger/state/account-state.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { addressBytes, type Address } from '../../solana/address.ts';

const MINT_AT = 32;

/** Addresses that were found to be those of eATAs. What an address is derived from does not change. */
const verified = new Set<Address>();

/** How many base units a mint's eATAs may claim, and how many its vault has. */
export interface Solvency {
  readonly owed: bigint;
  readonly vault: bigint;
}

/**
 * What is owed to the owners of a mint's eATAs on base, and what there is. `amountOf` may know better than base what one
 * holds; undefined when it does not.
 *
 * @throws {UnreadableVault} when something is owed and there is no vault to be read.
 */
export function readSolvency(
  base: AccountView,
  mint: Address,
  tokenProgram: Address,
  amountOf: (eata: Address) => bigint | undefined,
): Solvency {
  let owed = 0n;
  for (const [address, amount] of eatasOf(base, mint)) owed += amountOf(address) ?? amount;
  const vaultAta = deriveAta(deriveVault(mint).address, mint, tokenProgram).address;
  const account = base.get(vaultAta);
  const vault = account?.owner === tokenProgram ? decodeTokenAccount(account.data) : null;
  if (vault === null && owed > 0n) throw new UnreadableVault();
  return { owed, vault: vault?.amount ?? 0n };
}

/** There is no saying how many tokens a vault has. */
export class UnreadableVault extends Error {
  override readonly name = 'UnreadableVault';

  constructor() {
    super('the vault on base cannot be read');
  }
}

/** The eATAs of a mint with their amounts, delegated or not. */
function* eatasOf(base: AccountView, mint: Address): Iterable<readonly [Address, bigint]> {
  const mintBytes = addressBytes(mint);
  for (const program of [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM]) {
    for (const [address, { data }] of base.ownedBy(program)) {
      if (Buffer.compare(data.subarray(MINT_AT, MINT_AT + 32), mintBytes) !== 0) continue;
      const eata = decodeEata(data);
      if (eata === null) continue;
      if (!verified.has(address)) {
        if (deriveEata(eata.owner, eata.mint).address !== address) continue;
        verified.add(address);
      }
      yield [address, eata.amount];
    }
  }
}
