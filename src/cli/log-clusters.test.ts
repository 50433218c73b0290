import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config/config.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { logClusters } from './verbs/doctor/cluster-findings.ts';
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
