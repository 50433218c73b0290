import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { decodeVault } from '../../programs/ephemeral-token/vault.ts';
import { findTokenUnit, showTokenAmount } from '../accounts/token-unit.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/**
 * An ephemeral token account (eATA) or the global vault of a mint, of the ephemeral SPL token program in
 * either layout. Its accounts have no discriminators, so each is recognised by the address derived from its
 * own data.
 *
 * @throws {Unparsable} also for its other accounts.
 */
export function parseEphemeralTokenState({ address, data, lookUp }: AccountBytes): JsonOutput {
  const eata = decodeEata(data);
  if (eata !== null && deriveEata(eata.owner, eata.mint).address === address) {
    const unit = findTokenUnit(eata.mint, lookUp);
    if (unit === undefined) throw new Unparsable('no mint');
    const { mint, owner } = eata;
    return {
      info: { mint, owner, tokenAmount: showTokenAmount(eata.amount, unit) },
      type: 'ephemeralAccount',
    };
  }
  const vault = decodeVault(address, data);
  if (vault === null) throw new Unparsable('no such state');
  return { info: { mint: vault.mint, tokenAccount: vault.tokenAccount ?? undefined }, type: 'globalVault' };
}
