import type { Address } from '../../../solana/address.ts';
import type { Effect, Location } from '../effects.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import { roleAt } from '../form.ts';

/** What the instructions of a transaction say, to be held against a simulation of it. */
export interface ToldEffects {
  readonly rawEffects: readonly Effect[];
  /** The ledger that is tried; what happens on the other one comes later. */
  readonly location: Location;
  readonly feePayer: Address;
  readonly signers: ReadonlySet<Address>;
  /** The most the network takes of the fee payer, lamports; 0 on a rollup. */
  readonly networkFeeMax: bigint;
  /** Token accounts of programs that tokens may pass into without a word. */
  readonly carriers: ReadonlySet<Address>;
}

/** What instructions say of one account. */
export interface Told {
  /** Base units; null when only the chain can tell. */
  tokens: bigint | null;
  /** Lamports it gets, rent and network fee apart. */
  lamports: bigint;
  /** The most it pays for accounts that are created and for the network, lamports. */
  allowance: bigint;
}

/** Roles whose accounts a program keeps for tokens on their way; that each is the derived one is checked by itself. */
const CARRIER_ROLES: ReadonlySet<string> = new Set(['vaultAta', 'queueAta', 'shuttleAta', 'stash']);

/** The carriers that the calls of a transaction name. */
export function carriersOf({ calls }: ExplainedCalls): ReadonlySet<Address> {
  const carriers = new Set<Address>();
  for (const { call, matched } of calls) {
    if (matched === null) continue;
    for (const [index, { address }] of call.accounts.entries()) {
      if (address !== null && CARRIER_ROLES.has(roleAt(matched.form, index))) carriers.add(address);
    }
  }
  return carriers;
}

/** Sums what is told by account. */
export function tellByAccount({
  rawEffects,
  location,
  feePayer,
  networkFeeMax,
}: ToldEffects): ReadonlyMap<Address, Told> {
  const told = new Map<Address, Told>();
  const of = (address: Address): Told => {
    let own = told.get(address);
    if (own === undefined) told.set(address, (own = { tokens: 0n, lamports: 0n, allowance: 0n }));
    return own;
  };
  of(feePayer).allowance += networkFeeMax;
  for (const effect of rawEffects) {
    if (effect.kind === 'lamports') of(effect.address).lamports += effect.change;
    else if (effect.kind === 'creation') of(effect.payer).allowance += effect.lamports;
    else if (effect.account !== null && effect.location === location && effect.later !== true) {
      const own = of(effect.account);
      own.tokens = own.tokens === null || effect.change === null ? null : own.tokens + effect.change;
    }
  }
  return told;
}
