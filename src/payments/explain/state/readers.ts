import { isServiceError } from '../../../errors/service-error.ts';
import type { Address } from '../../../solana/address.ts';
import {
  isOwnersAlone,
  type LeftPermission,
  namesOfReaders,
  readPermission,
} from '../../deposit/warnings.ts';
import type { ExplainedCall, ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { ChainFacts } from './chain-facts.ts';

/**
 * Readers of eATAs that the transaction makes private. Its instruction does not change an existing
 * permission, so earlier readers remain unless a later instruction resets it.
 */
export function readerFindings({ calls }: ExplainedCalls, facts: ChainFacts | null): Finding[] {
  return calls.flatMap((explained, index) => {
    if (explained.matched?.form.action !== 'createEataPermission') return [];
    const message = checkReaders(explained, calls.slice(index + 1), facts);
    return message === null ? [] : [{ level: 'danger', code: 'OTHER_READERS', message, instruction: index }];
  });
}

function checkReaders(
  { reading }: ExplainedCall,
  later: readonly ExplainedCall[],
  facts: ChainFacts | null,
): string | null {
  const eata = reading?.account('eata') ?? null;
  const address = reading?.account('permission') ?? null;
  const owner = reading?.ownerOf('eata') ?? null;
  if (eata === null || address === null || owner === null) return null;
  try {
    const permission = permissionOf(facts, address, owner);
    if (permission === undefined || permission === null || isOwnersAlone(permission)) return null;
    const isReset = !permission.isDelegated && later.some((call) => resets(call, eata));
    return isReset
      ? null
      : `eATA ${eata} is not private to ${owner}: its permission account ${address} lets ${namesOfReaders(permission)} read it on the rollup, and this transaction does not change that.`;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return error.message;
  }
}

const resets = ({ matched, reading }: ExplainedCall, eata: Address): boolean =>
  matched?.form.action === 'resetEataPermission' && reading?.account('eata') === eata;

/**
 * The permission account on chain: null if absent, undefined if it was not read.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE.
 */
export function permissionOf(
  facts: ChainFacts | null,
  address: Address,
  owner: Address,
): LeftPermission | null | undefined {
  const account = facts?.accounts.get(address);
  return account === undefined ? undefined : readPermission(address, account, owner);
}
