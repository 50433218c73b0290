import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import type { EataStatus } from './eata-status.ts';

/** An eATA that a transaction is about to delegate, where it is on base. */
interface Delegating {
  readonly status: EataStatus;
  /** Whom it is delegated to. */
  readonly validator: Address;
  /** The ATA of its owner, which stands for it on the rollup. */
  readonly ata: Address;
  readonly facts: Pick<MintFacts, 'mint' | 'decimals'>;
}

/** The eATA holds tokens that its owner could withdraw from base. */
function warnOfDelegatedAgain({ status, ata, facts }: Delegating): Warning[] {
  if (status.at !== 'base' || status.amount === 0n) return [];
  return [
    {
      code: 'DELEGATED_AGAIN',
      message: `The ephemeral token account behind ${ata} holds ${describeTokens(status.amount, facts)} on the base ledger, ready to be withdrawn. This transaction delegates the account again, which puts these tokens back on the rollup: withdraw them first to keep them on the base ledger.`,
    },
  ];
}

/**
 * Warns of tokens that a new delegation puts back on the rollup, and reads the ATA of the eATA there once.
 * MagicBlock's validator (0.14.10) keeps the old state of the ATA until somebody reads it: until then a
 * shuttle cannot be merged into it, and its tokens have to be recovered. Base does not show whether an eATA
 * was delegated before, so this reads the ATA of every eATA on base. The response does not matter, so the
 * read needs no token.
 *
 * @returns warnings, also if the rollup could not be read.
 */
export async function readReleased({ layout, rollup }: Chain, delegating: Delegating): Promise<Warning[]> {
  const { status, validator, ata } = delegating;
  const again = warnOfDelegatedAgain(delegating);
  if (layout === 'a' || rollup === null || status.at !== 'base') return again;
  try {
    if ((await rollup.identity()) === validator) await rollup.getAccounts([ata]);
    return again;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return [...again, warnOfStaleAta(ata)];
  }
}

const warnOfStaleAta = (ata: Address): Warning => ({
  code: 'ROLLUP_UNREAD',
  message: `The rollup could not be asked for token account ${ata}. If its ephemeral token account was delegated there before, the rollup may still have it as it was, and the tokens may not arrive: build it again when the rollup answers. What does not arrive is recovered with spl.recoverShuttles.`,
});
