import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { Facilitator } from './facilitator.ts';
import type { Payment } from '../settlement/payment-store.ts';
import type { Settlement } from './settlement.ts';
import { FacilitatorScene } from './testing/facilitator-scene.ts';
import { verifiedOf } from './testing/verified-payments.ts';
import type { VerifiedPayment } from './verified-payment.ts';
import type { Verifier } from './verify.ts';

let scene: FacilitatorScene;
beforeAll(async () => {
  scene = await FacilitatorScene.open();
});
afterAll(() => scene.close());

describe('a payment that was signed before', () => {
  /** Signs a payment on base, and returns its bytes with a facilitator that remembers it as settled. */
  async function signed() {
    const { verifier, key } = scene;
    const sent = scene.build();
    const verdict = await verifier.verify(scene.body(sent));
    if (!verdict.isValid) throw new Error(verdict.invalidMessage);
    const { lamportsMax: _, ...payment } = verdict.payment;
    const known: Payment = {
      ...payment,
      ...key.cosign(verdict.payment),
      state: 'settled',
      version: 1,
      slot: 1,
      error: null,
      isReleased: false,
      order: null,
      delivery: null,
      createdMs: 0,
      finishedMs: null,
    };
    await scene.payments.chain.sendTransaction(known.wire);
    const settlement = { find: async () => known } as unknown as Settlement;
    return {
      sent,
      facilitator: new Facilitator({ verifier, settlement, feePayer: key.address, clock: systemClock }),
    };
  }

  it('is valid for the requirement that it satisfies', async () => {
    const { sent, facilitator } = await signed();
    expect(await facilitator.verify(scene.body(sent))).toMatchObject({ isValid: true });
    const more = scene.requirement({ amount: '10001' });
    expect(await facilitator.verify(scene.body(sent, more))).toMatchObject({
      invalidReason: 'invalid_exact_svm_payload_amount_mismatch',
    });
  });

  it('is not valid for a requirement of private settlement if it was settled on base', async () => {
    const { sent, facilitator } = await signed();
    const requirement = scene.requirement({ extra: { settlement: 'private' } });
    expect(await facilitator.verify(scene.body(sent, requirement))).toMatchObject({
      invalidReason: 'invalid_transaction_state',
    });
  });
});

describe('a payment that was valid a moment ago', () => {
  const PRESENT = new AbortController().signal;

  /** Creates a facilitator without stored payments that counts judgments. */
  function create(ledger: VerifiedPayment['ledger'], against: string | null = null) {
    const counted = { nowMs: 0, judged: 0, settled: [] as string[] };
    const payment = verifiedOf('a', { ledger });
    const verifier = {
      verify: async () => {
        counted.judged += 1;
        return { isValid: true, payment };
      },
    } as unknown as Verifier;
    const settlement = {
      find: async () => undefined,
      judge: async () => against,
      settle: async ({ id }: VerifiedPayment) => counted.settled.push(id),
    } as unknown as Settlement;
    const clock = { now: () => counted.nowMs };
    const facilitator = new Facilitator({ verifier, settlement, feePayer: scene.key.address, clock });
    return { counted, facilitator };
  }

  it('is settled on a rollup without another judgment, but only once', async () => {
    const { counted, facilitator } = create('rollup');
    const body = scene.body(scene.build());
    await facilitator.verify(body);
    await facilitator.settle(body, PRESENT);
    expect(counted).toMatchObject({ judged: 1, settled: ['a'] });
    await facilitator.settle(body, PRESENT);
    expect(counted).toMatchObject({ judged: 2, settled: ['a', 'a'] });
  });

  it.each([
    ['it is settled on base, where a failure costs a fee', 'base', null, {}, 0],
    ['it was verified five seconds ago', 'rollup', null, {}, 5_000],
    ['the requirement is different', 'rollup', null, { amount: '9999' }, 0],
    ['the spending policy rejected it', 'rollup', 'too much', {}, 0],
  ] as const)('is judged again if %s', async (_, ledger, against, changes, ms) => {
    const { counted, facilitator } = create(ledger, against);
    const wire = scene.build();
    await facilitator.verify(scene.body(wire));
    counted.nowMs += ms;
    await facilitator.settle(scene.body(wire, scene.requirement(changes)), PRESENT);
    expect(counted).toMatchObject({ judged: 2, settled: ['a'] });
  });

  it('is judged again after a thousand other payments were verified', async () => {
    const { counted, facilitator } = create('rollup');
    const bodies = Array.from({ length: 1_001 }, (_, at) => scene.body(Uint8Array.of(at >> 8, at & 255)));
    for (const body of bodies) await facilitator.verify(body);
    await facilitator.settle(bodies[0], PRESENT);
    await facilitator.settle(bodies[1], PRESENT);
    expect(counted.judged).toBe(1_002);
  });
});
