import { quoted } from '../../../errors/quoted-text.ts';
import {
  SPLIT_ACROSS_KEYS,
  STEALTH_POOL_BYTES,
} from '../../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { EPHEMERAL_TOKEN } from '../../../programs/ephemeral-token/table/program.ts';
import { STEALTH_TABLE } from '../../../programs/ephemeral-token/table/queue.ts';
import { addressOf } from '../../../solana/address.ts';
import { type Form, formsOf, type KnownProgram } from '../call.ts';
import { creationEffects, type Reading } from '../reading.ts';
import { handleFindings } from '../text-findings.ts';
import { validatorFindings } from './common-findings.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';
import { eataForms } from './ephemeral-token-eata.ts';
import { internalForms } from './ephemeral-token-internal.ts';
import { queueForms } from './ephemeral-token-queue.ts';
import { shuttleForms } from './ephemeral-token-shuttle.ts';

/** Lengths of the seeds of a handle's pool: "stealth_pool", then the handle, split at 32 bytes. */
function poolSeeds(handle: string): number[] {
  const bytes = Buffer.byteLength(handle, 'utf8');
  if (bytes <= 32) return [12, bytes];
  return [12, 32, Math.min(bytes - 32, 32)];
}

const handleText = (r: Reading): string => quoted(r.text('handle'));

function destinationsOf(r: Reading): string[] {
  const keys = r.bytes('destinations');
  return Array.from({ length: Math.floor(keys.length / 32) }, (_, index) =>
    addressOf(keys.subarray(index * 32, index * 32 + 32)),
  );
}

const isMalformed = (r: Reading): boolean =>
  r.bytes('destinations').length !== r.number('destinationCount') * 32 ||
  r.number('flags') > SPLIT_ACROSS_KEYS;

/**
 * Tags 21 and 22: stealth pools. Changing the destinations of a handle redirects all later payments to it,
 * like changing the authority of a token account. It is no danger if the request asks for it.
 */
const stealthForms: readonly Form[] = formsOf(STEALTH_TABLE, {
  updateStealthPool: {
    say: (r) =>
      `${r.name('authority')} makes the stealth handle ${handleText(r)} pay to ${destinationsOf(r).join(', ')}${r.number('flags') === SPLIT_ACROSS_KEYS ? ', the parts of a payment to different ones' : ''}`,
    danger: (r) =>
      isMalformed(r)
        ? 'The list of destinations is malformed.'
        : `Payments to the stealth handle ${handleText(r)} would go to ${destinationsOf(r).join(', ')} from then on.`,
    findings: (r) => handleFindings(r.text('handle')),
  },
  delegateStealthPool: {
    say: (r) =>
      `${r.name('payer')} pays for the stealth pool ${r.name('pool')} of handle ${handleText(r)} under ${r.name('authority')}, which is delegated to ${toValidator(r.address('validator'))}; nothing happens if it exists`,
    effects: (r) => [
      ...creationEffects(r, 'pool', 'stealth pool', r.rent(STEALTH_POOL_BYTES)),
      ...permissionEffects(r, 'poolPermission'),
      ...delegationEffects(r, 'pool', poolSeeds(r.text('handle'))),
    ],
    danger: (r) =>
      r.account('authority') === r.account('payer')
        ? null
        : `${r.name('payer')} pays for the pool, and ${r.name('authority')} would decide who receives payments to the stealth handle ${handleText(r)}.`,
    findings: (r) => [...validatorFindings(r, r.address('validator')), ...handleFindings(r.text('handle'))],
  },
});

/** The ephemeral SPL token program, layouts A and B side by side. */
export const ephemeralTokenProgram: KnownProgram = {
  ...EPHEMERAL_TOKEN,
  forms: [...eataForms, ...shuttleForms, ...queueForms, ...stealthForms, ...internalForms],
};
