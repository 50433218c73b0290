import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { findTokenUnit, showTokenAmount } from '../accounts/token-unit.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
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
  if (data.length !== VAULT_BYTES_A && data.length !== VAULT_BYTES_B) throw new Unparsable('no such state');
  const reader = new ByteReader(data);
  const mint = reader.address();
  if (deriveVault(mint).address !== address) throw new Unparsable('not the vault of its mint');
  const tokenAccount = data.length === VAULT_BYTES_B ? reader.address() : undefined;
  return { info: { mint, tokenAccount }, type: 'globalVault' };
}
