import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areClientsInstalled, INSTALL_COMMAND } from '../../clients/installed.ts';
import { bearer, CheckoutScene, type Credentials } from '../../src/checkout/testing/checkout-scene.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';

const isSkipped = !areClientsInstalled();
const REASON = isSkipped ? ` (skipped: run \`${INSTALL_COMMAND}\` first)` : '';

/** A client of one protocol. */
interface Payer {
  readonly name: 'x402' | 'mpp';
  open(sign: (transactionBase64: string) => string): typeof fetch;
  /** Returns the signature of the payment that a response reports. */
  signatureIn(response: Response): string;
}

describe.skipIf(isSkipped)(`orders of merchants${REASON}`, () => {
  let scene: CheckoutScene;
  let merchant: Credentials;
  let payers: readonly Payer[];
  beforeAll(async () => {
    scene = await CheckoutScene.open();
    merchant = await scene.register();
    const file = new URL('../../clients/paid/orders.mjs', import.meta.url).href;
    ({ payers } = (await import(file)) as { payers: Payer[] });
  });
  afterAll(() => scene.close());

  it('are paid privately by the stock packages of x402 and MPP, with the payment method added', async () => {
    for (const { name, open, signatureIn } of payers) {
      const had = await scene.balance(scene.merchant);
      const { payment, accessToken } = await scene.order(merchant, { requestHash: 'ab'.repeat(32) });
      const pay = open((transaction) => signBuilt(scene.payer, transaction));
      const url = `${scene.url}/v1/${name}/payments/${payment.id}/pay`;
      const response = await pay(url, { method: 'POST', headers: bearer(accessToken) });
      expect(response.status, name).toBe(200);
      const signature = signatureIn(response);
      expect(await response.json()).toMatchObject({ status: 'paid', signature });
      expect(await scene.balance(scene.merchant), name).toBe(had + 10_000n);
    }
  });
});
