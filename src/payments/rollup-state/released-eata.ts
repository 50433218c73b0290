import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import type { EataStatus } from './eata-status.ts';

/** An eATA that a transaction is about to delegate, where it is on base. */
interface Delegating {
  readonly status: EataStatus;
  /** Whom it is delegated to. */
  readonly validator: Address;
  /** The ATA of its owner, which stands for it on the rollup. */
  readonly ata: Address;
}

/**
 * Has the rollup look at the ATA of an eATA that is on base and is delegated anew. MagicBlock's validator
 * (0.14.10) holds on to what the ATA was before the eATA was given back until it is read once: without that a
 * shuttle cannot be merged into it, and its tokens have to be recovered. Nobody can tell from base whether an
 * eATA was given back before, so that every one that is not delegated counts as such. What the rollup answers
 * does not matter, so no token is needed.
 *
 * @returns a warning when the rollup could not be asked.
 */
export async function readReleased(
  { layout, rollup }: Chain,
  { status, validator, ata }: Delegating,
): Promise<Warning[]> {
  if (layout === 'a' || rollup === null || status.at !== 'base') return [];
  try {
    if ((await rollup.identity()) === validator) await rollup.getAccounts([ata]);
    return [];
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return [warnOfStaleAta(ata)];
  }
}

const warnOfStaleAta = (ata: Address): Warning => ({
  code: 'ROLLUP_UNREAD',
  message: `The rollup could not be asked for token account ${ata}. If its ephemeral token account was delegated there before, the rollup may still have it as it was, and the tokens may not arrive: build it again when the rollup answers. What does not arrive is recovered with spl.recoverShuttles.`,
});
