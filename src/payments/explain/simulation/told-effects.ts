import type { Address } from '../../../solana/address.ts';
import type { Effect, Location } from '../effects.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import { roleAt } from '../form.ts';

/** What the instructions of a transaction say, for comparison with a simulation. */
export interface ToldEffects {
  readonly rawEffects: readonly Effect[];
  /** The simulated ledger. Effects on the other one come later. */
  readonly location: Location;
  readonly feePayer: Address;
  readonly signers: ReadonlySet<Address>;
  /** The highest network fee of the fee payer, lamports; 0 on a rollup. */
  readonly networkFeeMax: bigint;
  /** Token accounts of programs that may receive tokens unannounced. */
  readonly carriers: ReadonlySet<Address>;
  /** The eATAs of shuttles, which have to be delegated for tokens to move. */
  readonly shuttleEatas: ReadonlySet<Address>;
}

/** What the instructions say about one account. */
export interface Told {
  /** Base units; null if only the chain knows. */
  tokens: bigint | null;
  /** Lamports it receives, excluding rent and network fee. */
  lamports: bigint;
  /** The most it pays for new accounts and the network, lamports. */
  allowance: bigint;
  /** Whether it pays for accounts besides whose rent cannot be read. */
  paysUnknownRent: boolean;
}

/** What is said of an account that no instruction changes. */
export const NOTHING_TOLD: Readonly<Told> = {
  tokens: 0n,
  lamports: 0n,
  allowance: 0n,
  paysUnknownRent: false,
};

/**
 * Roles of accounts in which programs keep tokens in transit. That each has the derived address is checked
 * separately.
 */
const CARRIER_ROLES: ReadonlySet<string> = new Set(['vaultAta', 'queueAta', 'shuttleAta', 'stash']);

/** The carriers in the calls of a transaction. */
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

/** Sums the announced effects by account. */
export function tellByAccount({
  rawEffects,
  location,
  feePayer,
  networkFeeMax,
}: ToldEffects): ReadonlyMap<Address, Told> {
  const told = new Map<Address, Told>();
  const of = (address: Address): Told => {
    let own = told.get(address);
    if (own === undefined) told.set(address, (own = { ...NOTHING_TOLD }));
    return own;
  };
  of(feePayer).allowance += networkFeeMax;
  for (const effect of rawEffects) {
    if (effect.kind === 'lamports') of(effect.address).lamports += effect.change;
    else if (effect.kind === 'creation') {
      const payer = of(effect.payer);
      payer.allowance += effect.lamports ?? 0n;
      payer.paysUnknownRent ||= effect.lamports === null;
    } else if (
      effect.account !== null &&
      effect.location === location &&
      effect.later !== true &&
      effect.held !== 'eata'
    ) {
      const own = of(effect.account);
      own.tokens = own.tokens === null || effect.change === null ? null : own.tokens + effect.change;
    }
  }
  return told;
}
