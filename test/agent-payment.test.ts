import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from '../src/ledger/testing/temporary-folder.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { MAIN, waitFor } from './stack-process.ts';

/** The part of a result that a host gives its model: only the text, or only the structured content. */
type Half = 'content' | 'structuredContent';

type Members = Readonly<Record<string, unknown>>;

/** A model that sees one half of each result. */
class Agent {
  readonly #client: Client;
  readonly #half: Half;

  constructor(client: Client, half: Half) {
    this.#client = client;
    this.#half = half;
  }

  async call(name: string, args: object = {}): Promise<Members> {
    const result = await this.#client.callTool({ name, arguments: { ...args } });
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    if (this.#half === 'structuredContent') return result.structuredContent as Members;
    const texts = (result.content as readonly { readonly text: string }[]).map(({ text }) => text);
    return JSON.parse(texts.findLast((text) => text.startsWith('{')) as string) as Members;
  }

  /** Builds with one tool, and signs and sends with another what came of it. */
  async play(name: string, args: object): Promise<Members> {
    const { transactionBase64, sendTo } = await this.call(name, args);
    const sent = await this.call('localnet.signAndSend', { transactionBase64, sendTo });
    expect(sent).toMatchObject({ outcome: 'confirmed' });
    return sent;
  }

  async newWallet(): Promise<{ wallet: string; mint: string }> {
    const wallet = (await this.call('localnet.createWallet'))['wallet'] as string;
    const given = { lamports: 1_000_000_000, amount: 5_000_000 };
    const { mint } = await this.call('localnet.fund', { wallet, ...given });
    return { wallet, mint: mint as string };
  }
}

/** Writes a policy to a file. Returns the setting for it. */
function writePolicy(policy: object) {
  const file = join(temporaryFolder(), 'policy.json');
  writeFileSync(file, JSON.stringify(policy));
  return { SPENDING_POLICY: file };
}

async function startAgent(half: Half, env: Readonly<Record<string, string>> = {}): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--quiet'],
    env: { PATH: process.env['PATH'] ?? '', CLUSTER: 'localnet', LOCALNET_WALLETS: '1', ...env },
    cwd: '/',
  });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return new Agent(client, half);
}

describe('an agent on localnet', () => {
  it.each<[Half, string]>([
    ['content', 'without a policy'],
    ['structuredContent', 'under a policy'],
  ])('makes a whole private payment with tools only, given only %s, %s', async (half, rules) => {
    const accept = ['RECIPIENT_NEW', 'SETTLEMENT_REQUESTED'];
    const policy = { mints: { [USDC_MINT]: {}, SOL: {} }, accept };
    const agent = await startAgent(half, rules === 'under a policy' ? writePolicy(policy) : {});
    const { wallet: alice, mint } = await agent.newWallet();
    const { wallet: bob } = await agent.newWallet();
    await agent.play('spl.deposit', { owner: alice, amount: 3_000_000 });
    await agent.play('spl.deposit', { owner: bob, amount: 1_000_000 });
    const own = { address: alice, mint };
    await expect(agent.call('spl.getPrivateBalance', own)).rejects.toThrow('localnet.login');
    await agent.call('localnet.login', { wallet: alice });
    await agent.call('localnet.login', { wallet: bob });
    expect(await agent.call('spl.getPrivateBalance', own)).toMatchObject({ balance: '3000000' });
    await agent.play('spl.transfer', {
      from: alice,
      to: bob,
      mint,
      amount: 1_250_000,
      visibility: 'private',
      fromBalance: 'ephemeral',
      toBalance: 'ephemeral',
    });
    expect(await agent.call('spl.getPrivateBalance', own)).toMatchObject({ balance: '1750000' });
    const others = { address: bob, mint };
    expect(await agent.call('spl.getPrivateBalance', others)).toMatchObject({ balance: '2250000' });
    await agent.play('spl.undelegate', { payer: bob, mint });
    // The undelegation is settled in moments; asked too early, the tool says so, and to ask again.
    await waitFor(() => agent.play('spl.withdraw', { owner: bob, mint, amount: 2_250_000 }));
    expect(await agent.call('spl.getBalance', { address: bob, mint })).toMatchObject({
      balance: '6250000',
    });
    expect(await agent.call('spl.getBalance', { address: alice, mint })).toMatchObject({
      balance: '2000000',
    });
  });

  it('spends no more than its policy allows, even if calls are parallel', async () => {
    const caps = { payment: '300000', hour: '500000' };
    const mints = { [USDC_MINT]: caps, SOL: { hour: '10000000' } };
    const agent = await startAgent('structuredContent', writePolicy({ mints, accept: ['RECIPIENT_NEW'] }));
    const { wallet: alice, mint } = await agent.newWallet();
    const { wallet: bob } = await agent.newWallet();
    const pay = async (amount: number) =>
      await agent.play('spl.transfer', {
        from: alice,
        to: bob,
        mint,
        amount,
        visibility: 'public',
        fromBalance: 'base',
        toBalance: 'base',
      });
    await expect(pay(300_001)).rejects.toThrow(
      `The payment takes 300001 base units, but only 300000 of mints.${USDC_MINT}.payment = 300000 are left.`,
    );
    const parallel = await Promise.allSettled([150_000, 150_001, 150_002, 150_003].map(pay));
    expect(parallel.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const spent =
      5_000_000 - Number((await agent.call('spl.getBalance', { address: alice, mint }))['balance']);
    expect(spent).toBeGreaterThan(450_000);
    expect(spent).toBeLessThanOrEqual(500_000);
    await expect(pay(50_000)).rejects.toThrow(`mints.${USDC_MINT}.hour = 500000`);
  });

  it('has no wallets unless they are requested', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--quiet'],
      env: { PATH: process.env['PATH'] ?? '', CLUSTER: 'localnet' },
    });
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('localnet.'))).toEqual([]);
  });
});
