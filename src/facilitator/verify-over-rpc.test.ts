import { afterAll, beforeAll, expect, it } from 'vitest';
import { Clusters, createClusters } from '../chain/clusters.ts';
import { clusterSettings, urls } from '../chain/testing/cluster-settings.ts';
import { type Localnet, type LocalnetWallet, startLocalnet } from '../localnet/index.ts';
import { ask, deposit } from '../localnet/testing/call-localnet.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { setComputeUnitLimit } from '../programs/compute-budget.ts';
import { addMemo } from '../programs/memo.ts';
import { transferChecked } from '../programs/token/instructions.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { ataOf, NETWORK, PRICE, setComputeUnitPrice } from './testing/facilitator-scene.ts';
import { createVerifier } from './verify.ts';

/** The verifier in front of a cluster over JSON-RPC, where only the sysvar shows the age of a blockhash. */

let localnet: Localnet;
let clusters: Clusters;
let wallets: readonly [payer: LocalnetWallet, merchant: LocalnetWallet, feePayer: LocalnetWallet];
beforeAll(async () => {
  localnet = await startLocalnet();
  const { base, rollup } = localnet.urls;
  const place = { baseRpcUrl: urls(base), ephemeralRpcUrl: urls(rollup) };
  clusters = createClusters(clusterSettings({ cluster: 'mainnet', baseLayout: 'a', ...place }), {
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    localnet: null,
  });
  const wallet = () => localnet.createWallet({ sol: 1, tokens: 1_000_000 });
  wallets = [await wallet(), await wallet(), await wallet()];
});
afterAll(async () => {
  clusters.close();
  await localnet.close();
});

/** Builds the body of `/verify` for a payment on the newest blockhash of a ledger. */
async function bodyOf(ledgerUrl: string): Promise<unknown> {
  const [payer, { address: payTo }, { address: feePayer }] = wallets;
  const { value } = (await ask(ledgerUrl, 'getLatestBlockhash')) as { value: { blockhash: string } };
  const [authority, owner] = [payer.address as Address, payTo as Address];
  const accounts = { source: ataOf(authority), mint: USDC_MINT, destination: ataOf(owner), authority };
  const message = compileLegacyMessage({
    feePayer: feePayer as Address,
    blockhash: decodeBase58(value.blockhash),
    instructions: [
      setComputeUnitLimit(20_000),
      setComputeUnitPrice(1n),
      transferChecked(TOKEN_PROGRAM, accounts, PRICE, 6),
      addMemo('nonce'),
    ],
  });
  const wire = encodeUnsignedTransaction(message);
  wire.set(payer.sign(message.bytes), 65);
  const terms = { scheme: 'exact', network: NETWORK, amount: String(PRICE), asset: USDC_MINT, payTo };
  const required = { ...terms, maxTimeoutSeconds: 60, extra: { feePayer } };
  const payload = { transaction: Buffer.from(wire).toString('base64') };
  const paymentPayload = { x402Version: 2, accepted: required, payload };
  return { x402Version: 2, paymentPayload, paymentRequirements: required };
}

it('judges payments on both ledgers of a cluster', async () => {
  const feePayer = wallets[2].address as Address;
  const verifier = createVerifier({ clusters, feePayer, clock: systemClock, logger: silentLogger });
  const { base, rollup } = localnet.urls;
  const onBase = await verifier.verify(await bodyOf(base));
  expect(onBase).toMatchObject({ payment: { cluster: 'mainnet', ledger: 'base', amount: PRICE } });
  const reason = 'invalid_exact_svm_transaction_simulation_failed';
  expect(await verifier.verify(await bodyOf(rollup))).toMatchObject({ invalidReason: reason });
  for (const wallet of wallets.slice(0, 2)) await deposit(localnet, wallet, 500_000n);
  await localnet.settled();
  expect(await verifier.verify(await bodyOf(rollup))).toMatchObject({ payment: { ledger: 'rollup' } });
  expect(await verifier.verify(await bodyOf(base))).toMatchObject({ payment: { ledger: 'base' } });
});
