import { expect, it, onTestFinished } from 'vitest';
import { TOKEN_PROGRAM } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import type { Address } from '../src/solana/address.ts';
import { temporaryFolder } from './folders.ts';
import { MapNode, mintData, tokenAccountData } from './ports/map-chain.ts';
import { startStack } from './stack-process.ts';
import { PlayedNode } from './upstreams/played-node.ts';
import { ServiceClient } from './upstreams/service-client.ts';

const MINT = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' as Address;
const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;

/** How long a start may take where other tests keep the machine busy, ms. */
const START_MS_MAX = 120_000;

/** More than enough for both workers to be asked, as connections are handed round. */
const MANY = 8;

it(
  'makes two workers agree on a mint again after one received wrong data',
  async () => {
    const ledger = new MapNode();
    const tell = (decimals: number) =>
      void ledger.put(MINT, { owner: TOKEN_PROGRAM, data: mintData(decimals) });
    const ata = deriveAta(WALLET, MINT, TOKEN_PROGRAM).address;
    ledger.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(MINT, WALLET, 1_500_000n) });
    const node = await PlayedNode.start(ledger);
    onTestFinished(() => node.close());
    const stack = await startStack(await temporaryFolder(onTestFinished), {
      env: {
        WORKERS: '2',
        CLUSTER: 'mainnet',
        BASE_RPC_URL: node.url.href,
        EPHEMERAL_RPC_URL: node.url.href,
        LEDGER_UPSTREAM_URL: node.url.href,
      },
    });
    onTestFinished(() => void stack.child.kill('SIGKILL'));
    const client = new ServiceClient(stack.serviceUrl);
    const ask = async (): Promise<string> =>
      (await client.tool('getBalance', { address: WALLET, mint: MINT })).result.content
        .map(({ text }) => text)
        .join(' ');
    const askMany = () => Promise.all(Array.from({ length: MANY }, ask));

    tell(9);
    expect(await ask()).toContain(' 0.0015 tokens');
    tell(5);
    const disputes = (await askMany()).filter((answer) => !answer.includes(' 15 tokens'));
    expect(disputes.length).toBeGreaterThan(0);
    for (const answer of disputes) expect(answer).toContain('of 9 decimals');
    for (const answer of [...(await askMany()), ...(await askMany())]) expect(answer).toContain(' 15 tokens');
  },
  START_MS_MAX,
);
