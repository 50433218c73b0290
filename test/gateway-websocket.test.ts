import { Connection, Keypair, type SignatureResult } from '@solana/web3.js';
import { expect, it, onTestFinished } from 'vitest';
import { closeConnection } from '../src/rpc/pubsub/testing/close-connection.ts';
import { temporaryFolder } from './folders.ts';
import { startStack } from './stack-process.ts';

it('notifies web3.js of its transactions over the WebSocket of two workers in front of a ledger', async () => {
  const folder = await temporaryFolder(onTestFinished);
  const ledger = await startStack(`${folder}/ledger`, { env: { ROLLUP: 'off' } });
  onTestFinished(() => void ledger.child.kill('SIGKILL'));
  const front = await startStack(`${folder}/front`, {
    env: {
      WORKERS: '2',
      CLUSTER: 'mainnet',
      LEDGER_UPSTREAM_URL: ledger.ledgerUrl,
      LEDGER_UPSTREAM_METHODS: 'requestAirdrop',
      BASE_RPC_URL: ledger.ledgerUrl,
      EPHEMERAL_RPC_URL: ledger.ledgerUrl,
    },
  });
  onTestFinished(() => void front.child.kill('SIGKILL'));
  // The library finds the WebSocket by itself: on the port after that of the RPC.
  const connections = Array.from({ length: 4 }, () => new Connection(front.ledgerUrl, 'confirmed'));
  onTestFinished(() => connections.forEach(closeConnection));
  await Promise.all(
    connections.map(async (connection) => {
      const wallet = Keypair.generate().publicKey;
      const signature = await connection.requestAirdrop(wallet, 5_000_000_000);
      const { err } = await new Promise<SignatureResult>((resolve) =>
        connection.onSignature(signature, resolve, 'confirmed'),
      );
      expect(err).toBeNull();
    }),
  );
  expect((await front.stop()).code).toBe(0);
  expect((await ledger.stop()).code).toBe(0);
});
