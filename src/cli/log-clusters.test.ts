import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config/config.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { logClusters } from './verbs/doctor/cluster-findings.ts';
import { startLocalnet } from '../localnet/index.ts';
import { openFakeNode } from './verbs/testing/fake-node.ts';

it('warns about differences, without the URL, and does not report an unreadable value as expected', async () => {
  const node = await openFakeNode({
    getAgGenesisCert: () => null,
    getRecentPerformanceSamples: () => [{ numSlots: 60, samplePeriodSecs: 60, numTransactions: 1, slot: 9 }],
  });
  onTestFinished(() => node.close());
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(JSON.stringify([level, fields, message]));
  const logger = { ...silentLogger, info: keep('info'), warn: keep('warn') } as Logger;
  await logClusters(readConfig({ BASE_RPC_URL: `${node.url}/secret-key`, CLUSTER: 'custom' }), logger);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^\["warn".*the Rent sysvar cannot be read/);
  expect(lines[1]).toMatch(/^\["warn".*1000 ms each/);
  expect(lines.join()).not.toContain('secret-key');
});

it('warns if the deployed programs have a different layout than the service builds for (bug: it said "matches")', async () => {
  await using localnet = await startLocalnet();
  for (const [BASE_LAYOUT, warnings] of [
    ['b', ['Set BASE_LAYOUT=a, or every transaction that this service builds fails.']],
    ['a', []],
  ] as const) {
    const fixes: unknown[] = [];
    const warn = ({ what, fix }: { what: string; fix: string }): void => {
      if (what === 'deployed programs') fixes.push(fix);
    };
    const config = readConfig({ BASE_RPC_URL: localnet.urls.base, CLUSTER: 'custom', BASE_LAYOUT });
    await logClusters(config, { ...silentLogger, warn } as Logger);
    expect(fixes).toEqual(warnings);
  }
});
