import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import { planPoolSetup, planPoolUpdate } from '../../stealth-pool.ts';
import { stealthPoolOf } from '../../stealth/handle.ts';
import { explainInstructions, found, key, OWNER, THIEF, words } from '../testing/explain-instructions.ts';

const DANGER = 'danger DANGEROUS_INSTRUCTION';
const HANDLE = 'alice.pay';
const VALIDATOR = key(8);
const partiesOf = (authority: Address) => ({
  payer: OWNER,
  authority,
  handle: HANDLE,
  pool: stealthPoolOf(HANDLE, 'handle').address,
});

describe('the stealth pool of a handle', () => {
  it.each([OWNER, THIEF])(
    'is taken over by changing its recipient, also to %s (bug: it was clear)',
    (payee) => {
      const keys = { destinations: [payee], splitAcrossKeys: false };
      const explained = explainInstructions(planPoolUpdate(partiesOf(OWNER), keys), {
        location: 'ephemeral',
      });
      expect(found(explained)).toEqual([DANGER]);
      expect(words(explained)).toContain(`Payments to the stealth handle "${HANDLE}" would go to ${payee}`);
    },
  );

  const setUp = (authority: Address) =>
    explainInstructions(planPoolSetup(partiesOf(authority), VALIDATOR), { clusterValidator: VALIDATOR });

  it('is a danger if the wallet pays for it and another wallet controls it (bug: it was clear)', () => {
    expect(found(setUp(THIEF))).toEqual([DANGER]);
    expect(words(setUp(THIEF))).toContain(`${OWNER} pays for the pool, and ${THIEF} would decide`);
  });

  it('is no danger if the signer sets it up for itself', () => {
    expect(found(setUp(OWNER))).toEqual([]);
  });
});
