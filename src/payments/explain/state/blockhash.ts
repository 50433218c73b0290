import type { Chain, LedgerClient } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { encodeBase58 } from '../../../solana/base58.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { LEDGERS, type Location } from '../../building/built-transaction.ts';
import type { Finding, FindingCode } from '../finding.ts';
import type { Difference } from '../request/compare.ts';

/**
 * The ledger that a blockhash belongs to, according to the ledgers. A simulation replaces the blockhash and
 * does not show this. `unchecked` has a reason. `unread` means that no ledger was read, which is reported
 * once.
 */
export type BlockhashState =
  | { readonly is: 'good' }
  | { readonly is: 'zero' }
  | { readonly is: 'unknown' }
  | { readonly is: 'of-other-ledger' }
  | { readonly is: 'unread' }
  | { readonly is: 'unchecked'; readonly why: string };

/** The blockhash of a transaction, base58. */
export const blockhashOf = ({ wire, blockhashAt }: Transaction): string =>
  encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32));

/** Asks the ledger of a transaction whether its blockhash is valid there, and if not, the other ledger. */
export async function checkBlockhash(
  transaction: Transaction,
  { chain, location, token }: { chain: Chain; location: Location; token: string | undefined },
): Promise<BlockhashState> {
  const { wire, blockhashAt } = transaction;
  if (wire.subarray(blockhashAt, blockhashAt + 32).every((byte) => byte === 0)) return { is: 'zero' };
  const blockhash = blockhashOf(transaction);
  const [own, other]: readonly (LedgerClient | null)[] =
    location === 'base' ? [chain, chain.rollup] : [chain.rollup, chain];
  if (own === null || own === undefined) return { is: 'unchecked', why: 'no rollup is configured' };
  try {
    if (await own.isBlockhashValid(blockhash, token)) return { is: 'good' };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { is: 'unchecked', why: error.code };
  }
  return { is: (await knows(other ?? null, blockhash)) ? 'of-other-ledger' : 'unknown' };
}

/** If the other ledger does not answer, the blockhash remains unknown, so no answer counts as no. */
async function knows(node: LedgerClient | null, blockhash: string): Promise<boolean> {
  if (node === null) return false;
  try {
    return await node.isBlockhashValid(blockhash);
  } catch (error) {
    if (isServiceError(error)) return false;
    throw error;
  }
}

const OTHER: Readonly<Record<Location, Location>> = { base: 'ephemeral', ephemeral: 'base' };

/** Findings about the blockhash. */
export function blockhashFindings(state: BlockhashState, location: Location): Finding[] {
  const [here, there] = [LEDGERS[location], LEDGERS[OTHER[location]]];
  switch (state.is) {
    case 'good':
    case 'unread':
      return [];
    case 'zero':
      return [
        danger(
          'BLOCKHASH_ZERO',
          'It has no blockhash yet: whoever sets one chooses the ledger that runs it.',
        ),
      ];
    case 'unknown':
      return [
        danger(
          'BLOCKHASH_UNKNOWN',
          `Its blockhash is not valid on ${here}: it has expired or belongs to another ledger. Build the transaction again.`,
        ),
      ];
    case 'of-other-ledger':
      return [
        danger(
          'BLOCKHASH_OF_OTHER_LEDGER',
          `Its blockhash belongs to ${there}: it can run there, visible to everyone who can read that ledger, but not on ${here}.`,
        ),
      ];
    case 'unchecked':
      return [
        {
          level: 'caution',
          code: 'BLOCKHASH_UNCHECKED',
          message: `Whether its blockhash belongs to ${here} could not be checked (${state.why}).`,
        },
      ];
  }
}

const danger = (code: FindingCode, message: string): Finding => ({ level: 'danger', code, message });

/**
 * The blockhash as a difference from the request, because the transaction would not run on the right ledger.
 */
export function blockhashDifferences(state: BlockhashState, location: Location): Difference[] {
  const found: Readonly<Partial<Record<BlockhashState['is'], string>>> = {
    zero: 'none',
    unknown: 'one that this ledger rejects',
    'of-other-ledger': `one of ${LEDGERS[OTHER[location]]}`,
  };
  const is = found[state.is];
  return is === undefined
    ? []
    : [{ part: 'blockhash', expected: `a blockhash of ${LEDGERS[location]}`, found: is }];
}
