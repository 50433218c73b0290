import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveEata } from './pdas.ts';
import { decodeEata } from './state.ts';

/** The eATA in an account, and the one address at which it is valid. */
interface EataFacts {
  readonly address: Address;
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
}

/** Account objects are replaced, never changed, so what was decoded from one stays valid for it. */
const known = new WeakMap<Account, EataFacts | null>();

/** The eATA in an account, wherever that is; null for any other account. Derived once for each object. */
export function readEata(account: Account): EataFacts | null {
  let facts = known.get(account);
  if (facts !== undefined) return facts;
  const eata = decodeEata(account.data);
  facts = eata && {
    address: deriveEata(eata.owner, eata.mint).address,
    mint: eata.mint,
    amount: eata.amount,
  };
  known.set(account, facts);
  return facts;
}
