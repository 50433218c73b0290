import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Facilitator } from './facilitator.ts';
import type { Payment } from '../settlement/payment-store.ts';
import type { Settlement } from './settlement.ts';
import { FacilitatorScene } from './testing/facilitator-scene.ts';

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
    return { sent, facilitator: new Facilitator({ verifier, settlement, feePayer: key.address }) };
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
