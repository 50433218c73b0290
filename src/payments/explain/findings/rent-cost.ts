import { LOCAL_RENT, type Rent } from '../../../solana/rent.ts';
import { describeLamports } from '../address-book.ts';
import type { Context } from '../context.ts';
import { CREATING } from '../created-accounts.ts';
import type { CreationEffect } from '../effects.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Reading } from '../reading.ts';
import { usualQueueLamports } from '../programs/ephemeral-token-queue.ts';

/**
 * From this much rent for new accounts on it is reported as a danger, lamports. The most expensive payment, a
 * first private deposit, creates accounts for 10 million; setting up a mint creates some for 24 million
 * besides its transfer queue.
 */
const HIGH_RENT_LAMPORTS = 50_000_000n;

/**
 * From this much on, lamports put into a new account beyond its rent are reported: as much as for a network
 * fee.
 */
const HIGH_EXCESS_LAMPORTS = 10_000_000n;

/** Creating accounts can drain a wallet like any transfer. */
export function rentFindings(
  { calls, effects }: Pick<ExplainedCalls, 'calls' | 'effects'>,
  { accounts, rent: known }: Pick<Context, 'accounts' | 'rent'>,
): Finding[] {
  // Without a chain nothing is quoted; what is out of the ordinary is judged by the rent of a test validator.
  const cluster = known ?? LOCAL_RENT;
  const missing = effects.creations.filter(({ address }) => !accounts.get(address));
  const direct = calls.flatMap(({ reading }) => directCreation(reading, cluster) ?? []);
  const queue = missing.find(isQueue);
  const rent = sum([
    ...missing.map((creation) => rentBeyond(creation, queue, cluster)),
    ...direct.map((creation) => creation.rent),
  ]);
  const excess = sum(direct.map((creation) => creation.excess));
  const findings: Finding[] = [];
  if (rent >= HIGH_RENT_LAMPORTS) {
    const all = rent + (queue === undefined ? 0n : usualRent(queue, cluster));
    findings.push({
      level: 'danger',
      code: 'HIGH_RENT',
      message: `The accounts that it creates take up to ${describeLamports(all)} from those who pay for them.`,
    });
  }
  if (excess >= HIGH_EXCESS_LAMPORTS) {
    findings.push({
      level: 'danger',
      code: 'EXCESS_LAMPORTS',
      message: `It puts ${describeLamports(excess)} into created accounts beyond their rent, where who pays for them does not have them.`,
    });
  }
  return findings;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const isQueue = ({ what }: CreationEffect): boolean => what === 'transfer queue';

/** Setting up a mint creates one transfer queue of the usual size, which is expected. */
const rentBeyond = (creation: CreationEffect, queue: CreationEffect | undefined, cluster: Rent): bigint =>
  (creation.lamports ?? 0n) - (creation === queue ? usualRent(creation, cluster) : 0n);

function usualRent({ lamports }: CreationEffect, cluster: Rent): bigint {
  const usual = usualQueueLamports(cluster);
  return lamports !== null && lamports < usual ? lamports : usual;
}

/**
 * Rent and excess of an account the system program creates. What is in one's own token account is not lost.
 */
function directCreation(
  reading: Reading | null,
  cluster: Rent,
): { readonly rent: bigint; readonly excess: bigint } | null {
  const created = reading?.creationOf('account') ?? null;
  if (reading === null || created === null || !CREATING.has(reading.action)) return null;
  const lamports = reading.amount('lamports');
  const minimum = cluster.minimum(reading.amount('space'));
  const rent = lamports < minimum ? lamports : minimum;
  const isOwn = created.holder !== null && created.holder === created.payer;
  return { rent, excess: isOwn ? 0n : lamports - rent };
}
