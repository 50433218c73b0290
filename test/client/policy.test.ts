import {
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  signTransaction,
  type TransactionPartialSigner,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPrivatePayments,
  type PolicyOptions,
  PolicyRefusal,
  type PrivatePayments,
  type SignedPayment,
  withPolicy,
} from '../../src/client/index.ts';
import type { SpendingPolicy } from '../../src/policy/policy.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from './running-app.ts';

const mint = USDC_MINT as string;

const POLICY: SpendingPolicy = {
  mints: { [mint]: { payment: 300n, hour: 500n, askAbove: 250n }, SOL: { hour: 10_000_000n } },
  accept: ['RECIPIENT_NEW'],
};

describe('withPolicy()', () => {
  let app: RunningApp;
  let payments: PrivatePayments;
  let alice: KeyPairSigner;
  let bob: KeyPairSigner;

  beforeAll(async () => {
    app = await runApp();
    payments = createPrivatePayments({ url: app.serviceUrl });
    [alice, bob] = [await app.wallet(), await app.wallet()];
  });
  afterAll(() => app.close());

  const guard = (options: Partial<PolicyOptions> = {}, policy = POLICY): TransactionPartialSigner =>
    withPolicy(policy, alice, { payments, ...options });

  /** Builds a payment of `amount` from Alice to Bob and signs it. */
  async function pay(signer: TransactionPartialSigner, amount: bigint): Promise<void> {
    const { transactionBase64 } = await payments.transfer({
      from: alice.address,
      to: bob.address,
      mint,
      amount,
      visibility: 'public',
      fromBalance: 'base',
      toBalance: 'base',
    });
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(transactionBase64));
    const [signatures] = await signer.signTransactions([transaction as never]);
    // The guard returns the signatures of the wallet itself.
    expect(signatures).toEqual({
      [alice.address]: (await signTransaction([alice.keyPair], transaction)).signatures[alice.address],
    });
  }

  it('signs what the policy allows, and no more', async () => {
    const signer = guard();
    await pay(signer, 250n);
    const refused = pay(signer, 251n);
    await expect(refused).rejects.toThrow(PolicyRefusal);
    await expect(refused).rejects.toMatchObject({
      needsApproval: false,
      breaches: [{ rule: `mints.${mint}.hour`, figure: '251', left: 250n }],
    });
    await pay(signer, 250n);
    await expect(pay(signer, 1n)).rejects.toMatchObject({ breaches: [{ left: 0n }] });
  });

  it('does not exceed a cap with parallel payments', async () => {
    const signer = guard();
    const signed = await Promise.allSettled([240n, 241n, 242n, 243n].map((amount) => pay(signer, amount)));
    expect(signed.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('asks for an approval above askAbove, which is no way around a cap', async () => {
    const asked: string[] = [];
    const approve = async ({ breaches }: PolicyRefusal) => {
      asked.push(...breaches.map(({ figure }) => figure));
      return true;
    };
    await expect(pay(guard(), 251n)).rejects.toMatchObject({ needsApproval: true });
    await expect(pay(guard({ approve: async () => false }), 251n)).rejects.toThrow(PolicyRefusal);
    const signer = guard({ approve });
    await pay(signer, 251n);
    await expect(pay(signer, 301n)).rejects.toMatchObject({ needsApproval: false });
    expect(asked).toEqual(['251']);
  });

  it('counts a payment until the caller reports that it expired', async () => {
    const signed: SignedPayment[] = [];
    const signer = guard({ onSigned: (payment) => signed.push(payment) });
    await pay(signer, 250n);
    await pay(signer, 249n);
    await expect(pay(signer, 248n)).rejects.toThrow(PolicyRefusal);
    expect(signed[0]?.cautions).toMatchObject([{ code: 'RECIPIENT_NEW' }]);
    await signed[0]?.settle('expired');
    await pay(signer, 248n);
  });

  it('does not count a payment that the wallet does not sign', async () => {
    const failing = { ...alice, signTransactions: () => Promise.reject(new Error('the wallet is locked')) };
    let wallet: TransactionPartialSigner = failing;
    const locked = {
      address: alice.address,
      signTransactions: (...args: Parameters<typeof alice.signTransactions>) =>
        wallet.signTransactions(...args),
    };
    const policy = { ...POLICY, mints: { ...POLICY.mints, [mint]: { hour: 100n } } };
    const signer = withPolicy(policy, locked, { payments });
    await expect(pay(signer, 100n)).rejects.toThrow('the wallet is locked');
    wallet = alice;
    await pay(signer, 100n);
  });

  it('signs nothing if the transaction cannot be explained', async () => {
    const lost = createPrivatePayments({ url: 'http://127.0.0.1:1', maxRetries: 0 });
    await expect(pay(guard({ payments: lost }), 1n)).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('rejects an invalid policy at once', () => {
    const invalid = { mints: {}, recipents: [] } as unknown as SpendingPolicy;
    expect(() => guard({}, invalid)).toThrow(TypeError);
  });
});
