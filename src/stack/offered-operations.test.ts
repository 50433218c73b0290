import { describe, expect, it } from 'vitest';
import { Holder } from '../../test/ports/holder.ts';
import { MapRollup } from '../../test/ports/map-chain.ts';
import type { Chain } from '../chain/chain.ts';
import { type ClusterExtras, Clusters } from '../chain/clusters.ts';
import { Secret } from '../config/secret.ts';
import type { SwapSources } from '../payments/swap/source.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { createOperationTools } from '../service/mcp/tools.ts';
import { OperationGate, serveOperation } from '../service/served-operation.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { assertChoice, type Choice, createOperations } from './operations.ts';
import { openSwaps } from './swaps.ts';

const LAYOUT_B_TOOLS = [
  'spl.initializeMint',
  'spl.createStealthPool',
  'spl.isMintInitialized',
  'spl.getStealthPool',
  'spl.recoverShuttles',
  'spl.createLookupTable',
  'spl.ensureTransferQueueCrank',
];

function chainOf(layout: 'a' | 'b', hasRollup = true): Chain {
  const { chain } = new Holder(layout);
  chain.rollup = hasRollup ? new MapRollup() : null;
  return chain;
}

const LOCALNET = chainOf('a');
const MAINNET = chainOf('b');

function operationsOf(
  chains: readonly [Chain, ...Chain[]],
  choice: Partial<Choice> = {},
  extras: ClusterExtras = {},
  swaps: SwapSources = { upstream: null, desk: null },
) {
  const ports = { clock: { now: () => 0 }, random: systemRandom, logger: silentLogger };
  const settings = { gaslessSponsorSecretKey: null, ...choice };
  return createOperations(settings, new Clusters(chains, extras), ports, { swaps });
}

function toolsOf(...args: Parameters<typeof operationsOf>) {
  const served = operationsOf(...args).map((operation) => serveOperation(operation, new OperationGate()));
  return createOperationTools(served, silentLogger);
}

const namesOf = (...args: Parameters<typeof operationsOf>): string[] =>
  toolsOf(...args).definitions.map(({ name }) => name);

const descriptionOf = (name: string, chains: readonly [Chain, ...Chain[]]): string =>
  toolsOf(chains).definitions.find((tool) => tool.name === name)?.description ?? '';

describe('the listed tools', () => {
  it('omit those that no configured cluster supports, which still fail with the reason (bug: four of twelve never worked)', async () => {
    const all = namesOf([MAINNET]);
    expect(all).toEqual(expect.arrayContaining(LAYOUT_B_TOOLS));
    const tools = toolsOf([LOCALNET]);
    const listed = tools.definitions.map(({ name }) => name);
    expect(listed).toEqual(all.filter((name) => !LAYOUT_B_TOOLS.includes(name)));
    const caller = { headers: {}, token: undefined, requestId: 'test', refusalFor: () => undefined };
    const answer = await tools.find('spl.getStealthPool')?.({ handle: 'jane' }, caller, {});
    expect(answer).toContain('UNSUPPORTED_ON_CLUSTER');
  });

  it('need a rollup if they use one', () => {
    const names = namesOf([chainOf('a', false)]);
    expect(names).not.toContain('spl.undelegate');
    expect(names).not.toContain('spl.getPrivateBalance');
    expect(namesOf([chainOf('b', false)])).not.toContain('spl.ensureTransferQueueCrank');
  });

  it('name the clusters that support them at the end of their description', () => {
    const alone = descriptionOf('spl.getStealthPool', [MAINNET]);
    expect(alone).not.toContain('Works on');
    const both = descriptionOf('spl.getStealthPool', [LOCALNET, MAINNET]);
    expect(both).toBe(`${alone} Works on cluster mainnet only.`);
    expect(descriptionOf('spl.deposit', [LOCALNET, MAINNET])).not.toContain('Works on');
  });

  it('include swaps where somebody swaps', () => {
    const ports = { clock: { now: () => 0 }, random: systemRandom, logger: silentLogger };
    const opened = (localnet: { readonly faucet: LocalFaucet } | null, settings: object = {}) =>
      openSwaps({ config: { swapUpstreamUrl: null, readOnly: false, ...settings }, ports, localnet });
    const localnet = { faucet: {} as LocalFaucet };
    const swapUpstreamUrl = new Secret(new URL('https://swaps.example'));
    const mainnet = Object.assign(chainOf('b'), { cluster: 'mainnet', network: 'mainnet' });
    const swapsOf = (chain: Chain, sources: SwapSources) =>
      namesOf([chain], {}, {}, sources).filter((name) => name.startsWith('spl.swap'));
    const both = ['spl.swapQuote', 'spl.swap'];
    expect(swapsOf(LOCALNET, opened(localnet))).toEqual(both);
    expect(swapsOf(mainnet, opened(localnet, { swapUpstreamUrl }))).toEqual(both);
    expect(swapsOf(mainnet, opened(localnet))).toEqual([]);
    expect(swapsOf(LOCALNET, opened(null, { swapUpstreamUrl }))).toEqual([]);
    // The faucet's transactions for the desk change the ledger.
    expect(swapsOf(LOCALNET, opened(localnet, { readOnly: true }))).toEqual([]);
  });

  it('are all listed if callers may name clusters by URL', () => {
    const extras = { custom: { resolve: () => MAINNET } };
    expect(namesOf([LOCALNET], {}, extras)).toEqual(expect.arrayContaining(LAYOUT_B_TOOLS));
  });

  it('say that the defaults of a transfer do not work on the default cluster', () => {
    const own = descriptionOf('spl.transfer', [MAINNET]);
    const note = 'On cluster localnet the default route does not exist: pass visibility public';
    expect(descriptionOf('spl.transfer', [LOCALNET, MAINNET])).toContain(`${own} ${note}`);
    expect(descriptionOf('spl.transfer', [MAINNET, LOCALNET])).toBe(own);
  });
});

describe('TOOLS and READ_ONLY', () => {
  const everything = operationsOf([MAINNET]).map(({ name }) => name);

  it('choose the operations of MCP and REST', () => {
    const tools = ['spl.deposit', 'getBalance', 'spl_withdraw', 'login'];
    const names = operationsOf([MAINNET], { tools }).map(({ name }) => name);
    expect(names).toEqual(['deposit', 'withdraw', 'getBalance', 'login']);
    expect(toolsOf([MAINNET], { tools }).find('spl.transfer')).toBeUndefined();
  });

  it('exclude operations that send', () => {
    const names = operationsOf([MAINNET], { readOnly: true }).map(({ name }) => name);
    const senders = new Set(['sendTransaction', 'ensureTransferQueueCrank']);
    expect(names).toEqual(everything.filter((name) => !senders.has(name)));
  });

  it.each([
    ['spl.depositt', 'did you mean deposit?'],
    ['nothing', 'the tools are deposit, transfer'],
  ])('reject %s before anything is started', (tool, words) => {
    expect(() => assertChoice({ tools: ['deposit', tool], readOnly: false })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) }),
    );
    expect(() => assertChoice({ tools: everything, readOnly: false })).not.toThrow();
  });
});
