import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeTransaction } from '../solana/transaction.ts';
import { FacilitatorScene, NETWORK, PRICE } from './testing/facilitator-scene.ts';
import type { PaymentVerdict } from './verified-payment.ts';

let scene: FacilitatorScene;
beforeEach(async () => {
  scene = await FacilitatorScene.open();
});
afterEach(() => scene.close());

/** Returns the verdict without details that tests do not compare. */
const outcomeOf = (verdict: PaymentVerdict): string =>
  verdict.isValid ? verdict.payment.ledger : `${verdict.invalidReason}: ${verdict.invalidMessage}`;

describe('the verifier', () => {
  it('accepts the payment of a stock client', async () => {
    const wire = scene.build();
    const verdict = await scene.verifier.verify(scene.body(wire));
    expect(outcomeOf(verdict)).toBe('base');
    expect(verdict).toMatchObject({
      payment: {
        network: NETWORK,
        cluster: 'localnet',
        identifier: null,
        payer: scene.payer.address,
        payTo: scene.merchant.address,
        amount: PRICE,
        lamportsMax: 10_001n,
        wire,
        lastValidBlockHeight: scene.payments.base.head().lastValidBlockHeight,
      },
    });
  });

  it('settles on the rollup if both accounts are delegated to its validator', async () => {
    await scene.deposit('public');
    const onBase = await scene.verifier.verify(scene.body(scene.build()));
    expect(outcomeOf(onBase)).toMatch(
      /transaction_simulation_failed: The blockhash is not valid on the rollup/,
    );
    const wire = scene.build({ blockhash: scene.rollupBlockhash });
    expect(outcomeOf(await scene.verifier.verify(scene.body(wire)))).toBe('rollup');
    expect(decodeTransaction(wire).version).toBe(0);
  });
});
