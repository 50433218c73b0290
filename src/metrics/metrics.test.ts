import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/service-error.ts';
import { createCallMetrics } from './call-metrics.ts';
import { DurationHistogram } from './duration-histogram.ts';
import {
  addLedgerMetrics,
  addPubsubMetrics,
  addSettlementMetrics,
  addSponsorMetrics,
} from './ledger-metrics.ts';
import { addHttpMetrics, addProcessMetrics } from './process-metrics.ts';
import { Registry } from './registry.ts';

/** A line of Prometheus' text format 0.0.4: a comment that is known, or a sample. */
const LINE =
  /^(# HELP [a-z_]+ .+|# TYPE [a-z_]+ (counter|gauge|histogram)|[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? (\d+(\.\d+)?(e[-+]\d+)?|\+Inf))$/;

function expectWellFormed(text: string): void {
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n').filter((each) => each !== '')) expect(line).toMatch(LINE);
}

describe('a registry', () => {
  it('writes metrics in their order with their header and labels', async () => {
    const registry = new Registry();
    registry.gauge('b', 'Some.', () => 1.5);
    registry.counter('a_total', 'More.', () => [
      [{ x: '1', y: 'q"\\\n' }, 2],
      [{ x: '2' }, Infinity],
    ]);
    expect(await registry.write()).toBe(
      [
        '# HELP b Some.',
        '# TYPE b gauge',
        'b 1.5',
        '',
        '# HELP a_total More.',
        '# TYPE a_total counter',
        'a_total{x="1",y="q\\"\\\\\\n"} 2',
        'a_total{x="2"} +Inf',
        '',
      ].join('\n'),
    );
  });

  it('reads a value at the scrape', async () => {
    const registry = new Registry();
    let value = 1;
    registry.gauge('a', 'A.', () => value);
    value = 2;
    expect(await registry.write()).toContain('\na 2\n');
  });

  it('waits for values that are read elsewhere, and fails if one cannot be read', async () => {
    const registry = new Registry();
    registry.gauge('a', 'A.', async () => 3);
    registry.gauge('b', 'B.', async () => [[{ x: 'y' }, 4]]);
    const text = await registry.write();
    expect(text).toContain('\na 3\n');
    expect(text).toContain('\nb{x="y"} 4\n');
    registry.gauge('c', 'C.', () => Promise.reject(new Error('no database')));
    await expect(registry.write()).rejects.toThrow('no database');
  });

  it('puts its own labels on every sample', async () => {
    const registry = new Registry({ worker: '1' });
    registry.gauge('a', 'A.', () => [[{ x: 'y' }, 1]]);
    registry.counter('b', 'B.', () => 5);
    registry.histogram('c', 'C.', () => new DurationHistogram([1]).samples('c', { x: 'y' }));
    const text = await registry.write();
    expect(text).toContain('a{x="y",worker="1"} 1\n');
    expect(text).toContain('b{worker="1"} 5\n');
    expect(text).toContain('c_bucket{x="y",le="1",worker="1"} 0\n');
  });

  it('rejects a second metric with the same name', () => {
    const registry = new Registry();
    registry.gauge('a', 'A.', () => 1);
    expect(() => registry.counter('a', 'A.', () => 1)).toThrow(
      'A metric with the name a has already been registered.',
    );
  });
});

describe('a histogram', () => {
  it('counts a value in its bucket and all above, a bound belonging to its own', () => {
    const histogram = new DurationHistogram([1, 2]);
    for (const value of [0.5, 1, 1.5, 7]) histogram.observe(value);
    expect(histogram.samples('h', { m: 'x' })).toEqual([
      [{ m: 'x', le: '1' }, 2, 'h_bucket'],
      [{ m: 'x', le: '2' }, 3, 'h_bucket'],
      [{ m: 'x', le: '+Inf' }, 4, 'h_bucket'],
      [{ m: 'x' }, 10, 'h_sum'],
      [{ m: 'x' }, 4, 'h_count'],
    ]);
  });
});

describe('call metrics', () => {
  it('count calls by method and outcome, with one label for unknown methods', async () => {
    const registry = new Registry();
    const note = createCallMetrics(registry, 'ledger_rpc', ['getSlot', 'getBlock']);
    note('getSlot', 'ok', 0.04);
    note('getSlot', 'refused', 3);
    note(undefined, 'refused', 0);
    note('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', 'refused', 0);
    const text = await registry.write();
    expectWellFormed(text);
    expect(text).toContain('ledger_rpc_calls_total{method="getSlot",outcome="ok"} 1\n');
    expect(text).toContain('ledger_rpc_calls_total{method="getSlot",outcome="refused"} 1\n');
    expect(text).toContain('ledger_rpc_calls_total{method="unknown",outcome="refused"} 2\n');
    expect(text).toContain('ledger_rpc_call_duration_seconds_bucket{method="getSlot",le="0.00005"} 1\n');
    expect(text).toContain('ledger_rpc_call_duration_seconds_count{method="getSlot"} 2\n');
    expect(text).not.toMatch(/getBlock|9xQeWvG8|duration_seconds_count\{method="unknown"/);
  });
});

describe('the metrics of ledger, listeners and process', () => {
  it('are well-formed and have the values of their sources', async () => {
    const registry = new Registry();
    const stop = addProcessMetrics(registry);
    addLedgerMetrics(registry, 'ledger', {
      head: () => ({ slot: 7 }),
      accountCount: () => 8,
      accountsBytes: () => 15,
      accountsBytesMax: 16,
      transactionCount: () => 9,
      storeBytes: () => 14,
    });
    addPubsubMetrics(registry, 'ledger', { connections: 11, subscriptions: 12 });
    const counts = { inFlight: 1, upgraded: 2, dropped: 3, answers: [4, 0, 5, 0, 6, 7] };
    addHttpMetrics(registry, [
      { name: 'ledger', counts: () => counts, refusedCount: () => 13 },
      { name: 'service', counts: () => counts },
    ]);
    const text = await registry.write();
    stop();
    expectWellFormed(text);
    for (const line of [
      'ledger_slot 7',
      'ledger_accounts 8',
      'ledger_accounts_bytes 15',
      'ledger_accounts_bytes_max 16',
      'ledger_transactions_total 9',
      'ledger_database_bytes 14',
      'ledger_websocket_connections 11',
      'ledger_websocket_subscriptions 12',
      'http_requests_in_flight{face="service"} 1',
      'http_connections_upgraded{face="ledger"} 2',
      'http_connections_dropped_total{face="ledger"} 3',
      'http_responses_total{face="ledger",status="none"} 4',
      'http_responses_total{face="ledger",status="5xx"} 7',
      'http_requests_refused_total{face="ledger"} 13',
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).not.toContain('http_requests_refused_total{face="service"}');
  });

  it('omit the values of a stopped ledger (bug: all metrics failed)', async () => {
    const registry = new Registry();
    addSettlementMetrics(registry, () => {
      throw new ServiceError('LEDGER_STOPPED', 'the ledger could not be written');
    });
    registry.gauge('a', 'A.', () => 1);
    const text = await registry.write();
    expectWellFormed(text);
    expect(text).not.toMatch(/^rollup_/m);
    expect(text).toContain('\na 1\n');
  });

  it('show how late the event loop ran, once', async () => {
    const registry = new Registry();
    const stop = addProcessMetrics(registry);
    const longest = async (): Promise<number> =>
      Number(/nodejs_eventloop_delay_seconds\{quantile="1"\} (\S+)/.exec(await registry.write())?.[1]);
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 25));
    };
    await turns();
    const end = performance.now() + 120;
    while (performance.now() < end);
    await turns();
    expect(await longest()).toBeGreaterThan(0.08);
    expect(await longest()).toBe(0);
    stop();
  });
});

describe('the budget of a sponsor', () => {
  it('is shown as the lamports spent and the limit', async () => {
    const registry = new Registry();
    addSponsorMetrics(registry, async () => ({ spent: 3n, limit: 1_000_000_000n }));
    const text = await registry.write();
    expectWellFormed(text);
    const samples = text.split('\n').filter((line) => line.startsWith('sponsor_budget_lamports'));
    expect(samples).toEqual([
      'sponsor_budget_lamports{part="spent"} 3',
      'sponsor_budget_lamports{part="limit"} 1000000000',
    ]);
  });
});
