import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { bareGenesis } from '../genesis/genesis.ts';
import { buildTransaction, openTestLedger } from '../testing/test-ledger.ts';
import { Fork, ForkedChain } from './fork.ts';
import { type ServedCluster, startServedCluster } from './testing/served-cluster.ts';

let cluster: ServedCluster;
beforeAll(async () => {
  cluster = await startServedCluster();
});
afterAll(() => cluster.close());

it('ForkedChain reads, simulates and sends with the accounts of the cluster', async () => {
  const alice = await cluster.fundedWallet();
  const bob = await cluster.fundedWallet();
  const { ledger } = await openTestLedger({ genesis: bareGenesis() });
  const fork = new Fork({ source: cluster.source, ledger, operator: ledger });
  const chain = new ForkedChain(fork, 'localnet', ledger, LOCALNET_VALIDATOR);
  const [mint] = await chain.getAccounts([USDC_MINT]);
  expect(mint).toMatchObject({ lamports: 1_461_600n });

  const transfer = transferLamports(alice.address, bob.address, 1_000_000_000n);
  const { wire } = buildTransaction(ledger, [alice], [transfer]);
  const simulation = await chain.simulateTransaction(wire, [bob.address]);
  expect(simulation.accounts?.map((account) => account?.lamports)).toEqual([11_000_000_000n]);
  const signature = await chain.sendTransaction(wire);
  expect(await chain.signatureStatus(signature)).toMatchObject({ err: null });

  await expect(chain.sendTransaction(Uint8Array.of(1, 2))).rejects.toMatchObject({
    code: 'INVALID_TRANSACTION',
  });
});
