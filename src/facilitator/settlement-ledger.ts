import type { Chain } from '../chain/chain.ts';
import { eataStatusOf, isSettlingOn } from '../payments/rollup-state/eata-status.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import type { VerifiedPayment } from './verified-payment.ts';

/** The two owners of a payment, and its mint. */
interface Parties {
  readonly payer: Address;
  readonly payTo: Address;
  readonly mint: Address;
}

/**
 * Chooses the ledger on which a payment is settled: the rollup if the eATAs of both owners are delegated to
 * its validator and not returning, else base.
 *
 * @throws {ServiceError} UPSTREAM_*, or ACCOUNT_UNREADABLE if the state of an eATA cannot be read.
 */
export async function chooseLedger(chain: Chain, parties: Parties): Promise<VerifiedPayment['ledger']> {
  const { rollup } = chain;
  if (rollup === null) return 'base';
  const { payer, payTo, mint } = parties;
  const eatas = [payer, payTo].map((owner) => deriveEata(owner, mint).address);
  const records = eatas.map((eata) => deriveDelegationRecord(eata).address);
  // Read the rollup no later than base, which may not show a return yet.
  const [validator, isSettling, accounts] = await Promise.all([
    rollup.identity(),
    Promise.all(eatas.map((eata) => isSettlingOn(chain, eata))),
    chain.getAccounts([...eatas, ...records]),
  ]);
  const areDelegated = eatas.every((eata, index) => {
    const [account = null, record = null] = [accounts[index], accounts[eatas.length + index]];
    const status = eataStatusOf(eata, account, record, chain.layout);
    return status.at === 'rollup' && status.validator === validator && isSettling[index] === false;
  });
  return areDelegated ? 'rollup' : 'base';
}
