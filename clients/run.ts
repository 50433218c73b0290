import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateKeyPairSigner } from '@solana/kit';
import { temporaryFolder } from '../test/folders.ts';
import { callLedger, startStack } from '../test/stack-process.ts';
import { loadClients, type Connection, type McpClient } from './client.ts';
import { Examination, Surprise, type SchemaCheck } from './examination.ts';
import { areClientsInstalled, CLIENTS_FOLDER } from './installed.ts';
import { loadProtocols } from './paid/protocol.ts';
import { BALANCES, createFacilitatorKey, payByMachine, type PaidStack } from './paid/scenario.ts';
import { buyCalls, loadBuyers, openSeller, writePrices } from './paid/tools.ts';
import { formatReports, type ClientReport } from './report.ts';
import { runScenario } from './scenario.ts';

/**
 * Calls every tool of the built program with the official MCP client, the AI SDK and mcporter. Then pays
 * merchants, and for tools of the program itself, with the stock packages of x402 and MPP on each ledger. Prints the outcomes, and exits with 0 only if every outcome
 * is the expected one. The first run needs the npm registry.
 *
 *   npm run clients                                  starts the program on free ports in a temporary folder
 *   npm run clients -- --url URL [--ledger URL]      uses a running program with localnet as its cluster, and
 *                                                    makes no payments
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, ledger: { type: 'string', default: 'http://127.0.0.1:8899' } },
});

installClients();
const cleanUps: (() => Promise<unknown>)[] = [];
try {
  const own = values.url === undefined ? await startOwnStack() : null;
  const { serviceUrl, ledgerUrl } = own ?? { serviceUrl: values.url ?? '', ledgerUrl: values.ledger };
  const reports: ClientReport[] = [];
  for (const client of await loadClients()) {
    reports.push(await examine(client, new URL('/mcp', serviceUrl).href, ledgerUrl));
  }
  console.log(`\n${formatReports(reports)}`);
  const unpaid = own === null ? 0 : await makePayments(own);
  const isAsItMustBe = unpaid === 0 && reports.every(({ surprises }) => surprises.length === 0);
  console.log(
    isAsItMustBe ? '\nEvery client called every tool, and paid.' : '\nNot everything is as it must be.',
  );
  process.exitCode = isAsItMustBe ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

/** Installs the packages of this folder, unless they are installed. */
function installClients(): void {
  if (areClientsInstalled()) return;
  console.log('Installing the clients (clients/package.json) ...');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: CLIENTS_FOLDER,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** Starts the program with a facilitator that has 1 SOL. */
async function startOwnStack(prices?: string): Promise<PaidStack> {
  const { secretKey, address } = createFacilitatorKey();
  const folder = await temporaryFolder((remove) => cleanUps.push(remove));
  const file = join(folder, 'prices.json');
  if (prices !== undefined) writeFileSync(file, prices);
  const env = { FACILITATOR_SECRET_KEY: secretKey, ...(prices !== undefined && { PRICES: file }) };
  const stack = await startStack(folder, { env });
  cleanUps.push(() => stack.stop());
  await callLedger(stack.ledgerUrl, 'requestAirdrop', [address, 1_000_000_000]);
  return stack;
}

/** Makes all payments. Returns how many did not go as they must. */
async function makePayments(stack: PaidStack): Promise<number> {
  let failed = 0;
  const report = async (name: string, seen: Promise<string>): Promise<void> => {
    const text = await seen.catch((error: unknown) => {
      failed += 1;
      return `FAILED: ${String(error)}`;
    });
    console.log(`${name}: ${text}`);
  };
  for (const protocol of await loadProtocols()) {
    for (const balances of BALANCES) {
      await report(`${protocol.name}, ${balances}`, payByMachine(stack, protocol, balances));
    }
  }
  const wallet = await generateKeyPairSigner();
  const selling = await startOwnStack(writePrices(wallet.address));
  const seller = await openSeller(selling, wallet);
  for (const buyer of await loadBuyers()) {
    for (const isPrivate of [false, true]) {
      const where = isPrivate ? 'rollup, private' : 'base';
      await report(`tools by ${buyer.name}, ${where}`, buyCalls(selling, seller, buyer, isPrivate));
    }
  }
  await seller.payments.close();
  return failed;
}

async function examine(client: McpClient, endpoint: string, ledgerUrl: string): Promise<ClientReport> {
  let connection: Connection | undefined;
  let examination: Examination | undefined;
  const surprises: string[] = [];
  try {
    connection = await client.connect(endpoint);
    const listed = await connection.listTools();
    examination = new Examination(connection, await loadSchemaCheck(listed));
    await runScenario(examination, ledgerUrl);
    surprises.push(...examination.listUncalled(listed).map((tool) => `${tool} is listed and was not called`));
  } catch (error) {
    surprises.push(error instanceof Surprise ? error.message : String((error as Error).stack));
  } finally {
    await connection?.close();
  }
  return { client: client.name, records: examination?.records ?? [], surprises };
}

async function loadSchemaCheck(listed: readonly object[]): Promise<SchemaCheck> {
  const { createSchemaCheck } = (await import(new URL('schema-check.mjs', import.meta.url).href)) as {
    createSchemaCheck(tools: readonly object[]): SchemaCheck;
  };
  return createSchemaCheck(listed);
}
