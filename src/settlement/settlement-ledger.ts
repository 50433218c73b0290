import type { Chain } from '../chain/chain.ts';
import { eataStatusOf, isSettlingOn } from '../payments/rollup-state/eata-status.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';

/**
 * Chooses the ledger on which a payment is settled: the rollup if the eATAs of both owners are delegated to
 * its validator and not returning, else base.
 *
 * @throws {ServiceError} UPSTREAM_*, or ACCOUNT_UNREADABLE if the state of an eATA cannot be read.
 */
export async function chooseLedger(
  chain: Chain,
  owners: readonly Address[],
  mint: Address,
): Promise<'base' | 'rollup'> {
  return (await ownersOffRollup(chain, owners, mint)).length === 0 ? 'rollup' : 'base';
}

/**
 * Returns the owners whose eATA is not delegated to the rollup's validator or is returning; all of them if
 * the cluster has no rollup.
 *
 * @throws {ServiceError} the errors of {@link chooseLedger}.
 */
export async function ownersOffRollup(
  chain: Chain,
  owners: readonly Address[],
  mint: Address,
): Promise<readonly Address[]> {
  const { rollup } = chain;
  if (rollup === null) return owners;
  const eatas = owners.map((owner) => deriveEata(owner, mint).address);
  const records = eatas.map((eata) => deriveDelegationRecord(eata).address);
  // Read the rollup no later than base, which may not show a return yet.
  const [validator, isSettling, accounts] = await Promise.all([
    rollup.identity(),
    Promise.all(eatas.map((eata) => isSettlingOn(chain, eata))),
    chain.getAccounts([...eatas, ...records]),
  ]);
  return owners.filter((_, index) => {
    const [account = null, record = null] = [accounts[index], accounts[eatas.length + index]];
    const status = eataStatusOf(eatas[index] as Address, account, record, chain.layout);
    return status.at !== 'rollup' || status.validator !== validator || isSettling[index] !== false;
  });
}
