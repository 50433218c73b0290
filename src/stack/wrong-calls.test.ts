import { expect, it } from 'vitest';
import { Holder } from '../../test/ports/holder.ts';
import { MapRollup } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { suggestValues } from '../payments/fields/suggest-value.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { NATIVE_MINT, USDC_MINT } from '../programs/addresses.ts';
import { callTool, createOperationTools } from '../service/mcp/tools.ts';
import { OperationGate, serveOperation } from '../service/served-operation.ts';
import { createOperations } from './operations.ts';

const { chain } = new Holder('a');
chain.rollup = new MapRollup();
const clusters = new Clusters([chain]);
const ports = { clock: { now: () => 0 }, random: systemRandom, logger: silentLogger };
const operations = createOperations({ gaslessSponsorSecretKey: null }, clusters, ports);
const suggest = suggestValues(clusters);
const tools = createOperationTools(
  operations.map((operation) => serveOperation(operation, new OperationGate(), suggest)),
  silentLogger,
);

/** The text that a model reads after a call. */
async function answerTo(name: string, args: unknown): Promise<string> {
  const caller = { headers: {}, token: undefined, requestId: 'test', refusalFor: () => undefined };
  try {
    const text = await callTool(tools, { name, arguments: args as object }, caller, {});
    const result = JSON.parse(text) as { isError?: boolean; content: readonly { text: string }[] };
    expect(result.isError, text).toBe(true);
    return result.content.map((block) => block.text).join(' ');
  } catch (error) {
    return (error as Error).message;
  }
}

const A = '8RzHqGSjJnKayxwwRERRPrdXVn69nfM2eg5v63Qxz2vL';
const B = 'GNkELzqM4BjKpTTNsmRkUyGEcVYnSxZLQYg6b4jTjZDA';
const DEPOSIT = { owner: A, amount: 1 };
const PAYMENT = { from: A, to: B, mint: USDC_MINT, amount: 1 };

it.each<readonly [tool: string, args: object | string, ...expected: string[]]>([
  ['spl.deposit', { ...DEPOSIT, amount: '1.5 USDC' }, 'Write 1500000 for 1.5 USDC.'],
  ['spl.deposit', { ...DEPOSIT, amount: '5usdc' }, 'Write 5000000 for 5 usdc.'],
  ['spl.deposit', { ...DEPOSIT, amount: '1.5' }, 'Write 1500000 for 1.5 USDC.'],
  ['spl.deposit', { ...DEPOSIT, amount: 1.5 }, 'Write 1500000 for 1.5 USDC.'],
  ['spl.deposit', { ...DEPOSIT, mint: NATIVE_MINT, amount: '0.5' }, 'Write 500000000 for 0.5 SOL.'],
  ['spl.deposit', { ...DEPOSIT, mint: NATIVE_MINT, amount: '0.5 sol' }, 'Write 500000000 for 0.5 sol.'],
  ['spl.deposit', { ...DEPOSIT, amount: '1,000' }, 'must be a whole number of base units'],
  ['spl.deposit', { ...DEPOSIT, amount: -5 }, 'from 1 to'],
  ['spl.deposit', { ...DEPOSIT, amount: 0 }, 'from 1 to'],
  ['spl.withdraw', { ...DEPOSIT, amount: 'all' }, 'Read the balance first and write the number.'],
  ['spl.deposit', { ...DEPOSIT, mint: 'USDC' }, `Write ${USDC_MINT} for USDC.`],
  ['spl.deposit', { ...DEPOSIT, mint: 'usdc', amount: '2 USDC' }, `Write ${USDC_MINT}`, 'Write 2000000'],
  ['spl.deposit', { ...DEPOSIT, mint: 'SOL' }, `Write ${NATIVE_MINT} for SOL.`],
  ['spl.deposit', { amount: 1 }, 'Argument "owner" is missing. Expected: '],
  ['spl.deposit', { address: A, amount: 1 }, 'Argument "address" is not known. Did you mean "owner"?'],
  ['spl.deposit', { wallet: A, amount: 1 }, 'Did you mean "owner"?'],
  ['spl.getBalance', { owner: A, mint: USDC_MINT }, 'Did you mean "address"?'],
  ['spl.undelegate', { owner: A, mint: USDC_MINT }, 'Did you mean "payer"?'],
  ['spl.transfer', { sender: A, recipient: B, amount: 1 }, 'Did you mean "from"?', 'Did you mean "to"?'],
  ['spl.transfer', { from: A, to: B, amount: 1, token: USDC_MINT }, 'Did you mean "mint"?'],
  ['spl.transfer', { ...PAYMENT, from_balance: 'base' }, 'Did you mean "fromBalance"?'],
  ['spl.deposit', { ...DEPOSIT, init_if_missing: true }, 'Did you mean "initIfMissing"?'],
  ['spl.deposit', { ...DEPOSIT, initIfMissing: 'true' }, 'must be true or false'],
  ['spl.transfer', { ...PAYMENT, visibility: 'hidden' }, 'must be one of: private, public'],
  ['spl.deposit', { ...DEPOSIT, cluster: 'testnet' }, 'cluster must be one of: '],
  ['spl.deposit', { ...DEPOSIT, owner: 'alice.sol' }, 'must be a base58 Solana address'],
  ['spl.transfer', { ...PAYMENT, to: '@bbo' }, 'spl.deposit', 'visibility "public"'],
  ['spl.sendTransaction', { tx: 'AQID', sendTo: 'base' }, 'Did you mean "transactionBase64"?'],
  ['spl.explainTransaction', { transaction: 'AQID' }, 'Did you mean "transactionBase64"?'],
  ['spl.deposit', '{"owner":"x"}', 'arguments must be an object'],
  ['spl.balance', {}, 'Did you mean spl.getBalance?'],
  ['spl.get_balance', {}, 'Did you mean spl.getBalance?'],
  ['getBalance', {}, 'Did you mean spl.getBalance?'],
  ['transfer', PAYMENT, 'Did you mean spl.transfer?'],
  ['pay', PAYMENT, 'Known tools: spl.deposit, '],
])('%s with %j gets an error that says what to write', async (...row) => {
  const [tool, args, ...expected] = row as [string, unknown, ...string[]];
  const answer = await answerTo(tool, args);
  for (const part of expected) expect(answer).toContain(part);
});

it('names the mint with an amount of SOL (bug: 1.5 SOL became the base units of 1,500 USDC)', async () => {
  const answer = await answerTo('spl.deposit', { ...DEPOSIT, amount: '1.5 SOL' });
  expect(answer).toContain(`Write 1500000000 for 1.5 SOL, and ${NATIVE_MINT} as the mint.`);
});

it.each([
  ['the symbol of another mint', { amount: '1.5 SOL', mint: 'USDC' }],
  ['a symbol that contradicts the mint', { amount: '1.5 USDC', mint: NATIVE_MINT }],
  ['more decimals than the mint has', { amount: '1.0000001' }],
  ['an unknown mint', { amount: '1.5', mint: B }],
  ['an unknown symbol', { amount: '1.5 BONK' }],
  ['an amount above u64', { amount: '18446744073709.6 USDC' }],
  ['an unknown cluster', { amount: '1.5', cluster: 'elsewhere' }],
])('no amount is guessed for %s', async (_, more) => {
  const answer = await answerTo('spl.deposit', { ...DEPOSIT, ...more });
  expect(answer).not.toMatch(/Write \d+ for/);
});
