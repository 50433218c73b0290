import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/folders.ts';
import { startStack } from '../test/stack-process.ts';
import { loadClients, type Connection, type McpClient } from './client.ts';
import { Examination, Surprise, type SchemaCheck } from './examination.ts';
import { formatReports, type ClientReport } from './report.ts';
import { runScenario } from './scenario.ts';

/**
 * Calls every tool of the built program with the official MCP client, the AI SDK and mcporter, and prints the
 * outcomes. Exits with 0 only if every outcome is the expected one. The first run needs the npm registry.
 *
 *   npm run clients                                  starts the program on free ports in a temporary folder
 *   npm run clients -- --url URL [--ledger URL]      uses a running program with localnet as its cluster
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, ledger: { type: 'string', default: 'http://127.0.0.1:8899' } },
});

installClients();
const cleanUps: (() => Promise<unknown>)[] = [];
try {
  const { serviceUrl, ledgerUrl } =
    values.url === undefined ? await startOwnStack() : { serviceUrl: values.url, ledgerUrl: values.ledger };
  const reports: ClientReport[] = [];
  for (const client of await loadClients()) {
    reports.push(await examine(client, new URL('/mcp', serviceUrl).href, ledgerUrl));
  }
  console.log(`\n${formatReports(reports)}`);
  const isAsItMustBe = reports.every(({ surprises }) => surprises.length === 0);
  console.log(isAsItMustBe ? '\nEvery client called every tool.' : '\nNot everything is as it must be.');
  process.exitCode = isAsItMustBe ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

/** Installs the packages of this folder, unless they are installed. */
function installClients(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  if (existsSync(`${folder}node_modules`)) return;
  console.log('Installing the clients (clients/package.json) ...');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

async function startOwnStack(): Promise<{ serviceUrl: string; ledgerUrl: string }> {
  const stack = await startStack(await temporaryFolder((remove) => cleanUps.push(remove)));
  cleanUps.push(() => stack.stop());
  return stack;
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
