import type { AccountView } from '../../ledger/state/account-state.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationMetadata } from '../../programs/delegation/pdas.ts';
import { decodeDelegationMetadata } from '../../programs/delegation/state.ts';
import { decodeVault, readEata } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** What the eATAs of a mint have on base, base units. */
export interface BaseClaims {
  /** Of those that are delegated: as base was last told. */
  onRollup: bigint;
  /** Of those that are delegated, and that base has been asked to give back. */
  wayBack: bigint;
  /** Of those that are not delegated: they can be withdrawn. */
  ready: bigint;
  /** Whether any is delegated, whatever it has. */
  hasDelegated: boolean;
}

/** What base shows of vaults and eATAs. It shows the same to everybody. */
export interface BaseFacts {
  /** The layout of each vault, by mint. */
  readonly vaults: ReadonlyMap<Address, 'a' | 'b'>;
  readonly claims: ReadonlyMap<Address, Readonly<BaseClaims>>;
}

/** Adds up what base shows, all at one moment. */
export function readBaseFacts(base: AccountView): BaseFacts {
  const vaults = new Map<Address, 'a' | 'b'>();
  const claims = new Map<Address, BaseClaims>();
  for (const [address, account] of base.ownedBy(EPHEMERAL_TOKEN_PROGRAM)) {
    const vault = decodeVault(address, account.data);
    if (vault !== null) vaults.set(vault.mint, vault.tokenAccount === null ? 'a' : 'b');
    else addClaim(claims, address, account, () => 'ready');
  }
  for (const [address, account] of base.ownedBy(DELEGATION_PROGRAM)) {
    addClaim(claims, address, account, () => (isAskedBack(base, address) ? 'wayBack' : 'onRollup'));
  }
  return { vaults, claims };
}

function addClaim(
  claims: Map<Address, BaseClaims>,
  address: Address,
  account: Account,
  kindOf: () => 'onRollup' | 'wayBack' | 'ready',
): void {
  const eata = readEata(account);
  if (eata === null || eata.address !== address) return;
  const kind = kindOf();
  let sums = claims.get(eata.mint);
  if (sums === undefined) {
    sums = { onRollup: 0n, wayBack: 0n, ready: 0n, hasDelegated: false };
    claims.set(eata.mint, sums);
  }
  sums[kind] += eata.amount;
  if (kind !== 'ready') sums.hasDelegated = true;
}

/** Whether base has taken note that the eATA is to be given back: by its validator, or by its program. */
function isAskedBack(base: AccountView, eata: Address): boolean {
  const metadata = base.get(deriveDelegationMetadata(eata).address);
  const requester = metadata && decodeDelegationMetadata(metadata.data)?.undelegationRequester;
  return requester !== undefined && requester !== 'none';
}
