import type { Address } from '../../../solana/address.ts';
import { deriveMintSetupAccounts, planInitializeMint } from '../../initialize-mint.ts';
import { planPoolSetup, planPoolUpdate } from '../../stealth-pool.ts';
import { stealthPoolOf } from '../../stealth/handle.ts';
import { planUndelegate } from '../../undelegate.ts';
import { type Expectation, type ExpectationSource, expectedValidator } from './expectation.ts';

/** The arguments of initialising a mint. */
export interface InitializeMintRequest {
  readonly payer: Address;
  readonly mint: Address;
  readonly validator?: Address | undefined;
}

/** The expected transaction of initialising a mint on a validator. */
export function expectInitializeMint(
  { payer, mint, validator: named }: InitializeMintRequest,
  source: ExpectationSource,
): Expectation {
  const { validator, doubts } = expectedValidator(named, source);
  const accounts = deriveMintSetupAccounts(mint, source.hints.tokenProgramOf(mint), validator);
  return {
    sendTo: 'base',
    feePayer: payer,
    instructions: planInitializeMint(accounts, payer),
    claims: { payer, mint, validator },
    doubts,
    mints: [mint],
  };
}

/** The expected transaction of an undelegation. */
export function expectUndelegate(
  { payer, mint }: { readonly payer: Address; readonly mint: Address },
  { chain, hints }: ExpectationSource,
): Expectation {
  // The instruction names a validator only if the wallet itself is delegated to one.
  const walletValidator = chain.layout === 'a' ? null : hints.validator;
  const tokenProgram = hints.tokenProgramOf(mint);
  const message = `According to the transaction, the wallet itself is delegated to validator ${walletValidator}. Only the chain could confirm that.`;
  return {
    sendTo: 'ephemeral',
    feePayer: payer,
    instructions: planUndelegate({ owner: payer, mint, tokenProgram, walletValidator }),
    claims: { payer, mint },
    doubts: walletValidator === null ? [] : [{ claim: 'validator', message }],
    mints: [mint],
  };
}

/** The arguments of a stealth pool. */
export interface StealthPoolRequest {
  readonly payer: Address;
  readonly authority: Address;
  readonly handle: string;
  readonly destinations: readonly Address[];
  readonly splitAcrossKeys?: boolean | undefined;
  readonly validator?: Address | undefined;
}

/** The expected transaction that creates a stealth pool on base, or that sets its keys on the rollup. */
export function expectStealthPool(request: StealthPoolRequest, source: ExpectationSource): Expectation {
  const { payer, authority, handle, destinations, splitAcrossKeys = false } = request;
  const parties = { payer, authority, handle, pool: stealthPoolOf(handle, 'handle').address };
  const claims = { payer, authority, handle };
  if (source.hints.actions.includes('delegateStealthPool')) {
    const { validator, doubts } = expectedValidator(request.validator, source);
    const instructions = planPoolSetup(parties, validator);
    return {
      sendTo: 'base',
      feePayer: payer,
      instructions,
      claims: { ...claims, validator },
      doubts,
      mints: [],
    };
  }
  const instructions = planPoolUpdate(parties, { destinations, splitAcrossKeys });
  const named = { ...claims, destinations: destinations.join(', ') };
  return { sendTo: 'ephemeral', feePayer: payer, instructions, claims: named, doubts: [], mints: [] };
}
