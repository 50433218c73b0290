import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Keypair } from '../../src/ledger/keypair.ts';
import { addressBytes } from '../../src/solana/address.ts';
import {
  findProgram,
  freePort,
  missingPrograms,
  startProgram,
} from '../../src/state/testing/server-process.ts';
import { temporaryFolder } from '../folders.ts';
import { waitFor } from '../stack-process.ts';
import { playNetwork } from '../upstreams/played-network.ts';
import { networkVariables, startService } from '../upstreams/start-service.ts';
import { DEPOSIT, newBlockhash } from '../upstreams/two-networks.ts';
import { readYaml } from './read-yaml.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const RULES = `${DEPLOY}prometheus/rules.yml`;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

const { groups } = readYaml(readFileSync(RULES, 'utf8')) as {
  readonly groups: readonly [{ readonly rules: readonly Rule[] }];
};
const [{ rules }] = groups;

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(readFileSync(`${DEPLOY}grafana/dashboard.json`, 'utf8')) as {
  readonly panels: readonly Panel[];
};

/** Every query of the dashboard and the rules, by where it is. */
const QUERIES = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

interface Selector {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

/** The words of PromQL that the queries use. */
const WORDS = /^(?:sum|count|max|by|le|rate|topk|absent|or|histogram_quantile)$/;

/** The metrics that a query selects, with the labels that it requires. */
function selectorsIn(query: string): Selector[] {
  const withoutGroups = query.replaceAll(/ by \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  const names = withoutGroups.matchAll(/([a-z_]{2,})(?:\{([^}]*)\})?/g);
  return Array.from(names, ([, name = '', labels = '']) => ({
    name,
    labels: new Map(
      Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label = '', value = '']) => [label, value]),
    ),
  })).filter(({ name }) => !WORDS.test(name));
}

let serviceUrl: string;

/** The series of a scrape, with the labels that Prometheus adds. */
let series: Selector[];

beforeAll(async () => {
  const network = await playNetwork({ base: newBlockhash(), rollup: newBlockhash() });
  afterAll(() => network.close());
  const seed = new Uint8Array(32).fill(7);
  const sponsor = new Keypair(seed);
  const { client, ledgerUrl } = await startService(
    {
      CLUSTER: 'mainnet',
      ...networkVariables('mainnet', network),
      LEDGER_UPSTREAM_URL: network.base.url.href,
      METRICS: 'on',
      // Nothing listens there, so the service counts requests by itself.
      LIMITS_URL: 'redis://127.0.0.1:1',
      RATE_LIMIT_PER_SECOND: '50',
      GASLESS_SPONSOR_SECRET_KEY: JSON.stringify([...seed, ...addressBytes(sponsor.address)]),
    },
    afterAll,
  );
  serviceUrl = client.origin;
  expect((await client.rest('deposit', DEPOSIT)).status).toBe(200);
  const call = { jsonrpc: '2.0', id: 1, method: 'getSlot' };
  const headers = { 'content-type': 'application/json' };
  await fetch(ledgerUrl, { method: 'POST', headers, body: JSON.stringify(call) });
  const { text } = await client.get('/metrics');
  series = Array.from(text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm), ([, name = '', labels = '']) => ({
    name,
    labels: new Map([
      ['job', 'spl-private-payments'],
      ...Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label = '', value = '']): [string, string] => [
        label,
        value,
      ]),
    ]),
  }));
  // Prometheus adds `up` to each target.
  series.push({ name: 'up', labels: new Map([['job', 'spl-private-payments']]) });
});

const isSelected = ({ name, labels }: Selector): boolean =>
  series.some(
    (each) => each.name === name && [...labels].every(([label, value]) => each.labels.get(label) === value),
  );

describe('the dashboard and the alert rules', () => {
  it.each(QUERIES)('select only series of a running service: %s', (_, query) => {
    const selectors = selectorsIn(query);
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.filter((each) => !isSelected(each)).map(({ name }) => name)).toEqual([]);
  });

  it('do not select a series that does not exist (check of this test)', () => {
    const [first, second] = selectorsIn(
      'sum(rate(http_responses_total{face="service",status="6xx"}[5m])) / sum by (le) (no_such_total)',
    );
    expect(first).toEqual({
      name: 'http_responses_total',
      labels: new Map([
        ['face', 'service'],
        ['status', '6xx'],
      ]),
    });
    expect([first, second].map((each) => isSelected(each as Selector))).toEqual([false, false]);
  });
});

describe('the dashboard', () => {
  it('has panels with different numbers that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ datasource }) => datasource.uid === '${datasource}')).toBe(true);
  });
});

const missing = missingPrograms('promtool');
const promtool = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? '', args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe.skipIf(missing !== undefined)(`promtool (${missing ?? 'installed'})`, () => {
  it('accepts the rules and the configuration', () => {
    expect(promtool('check', 'rules', RULES)).toMatchObject({ status: 0 });
    expect(promtool('check', 'config', `${DEPLOY}prometheus/prometheus.yml`)).toMatchObject({ status: 0 });
  });

  it('raises alerts for a replica that is gone, failing calls and a late event loop, and none for a healthy service', async () => {
    const folder = await temporaryFolder(onTestFinished);
    const job = 'job="spl-private-payments"';
    const healthy = [
      [`up{${job},instance="a"}`, '1x30'],
      [`up{${job},instance="b"}`, '1x30'],
      [`service_calls_total{${job},outcome="ok"}`, '0+600x30'],
      [`service_calls_total{${job},outcome="failed"}`, '0+1x30'],
      [`nodejs_eventloop_delay_seconds{${job},instance="a",quantile="0.99"}`, '0.01x30'],
    ];
    const broken = [
      [`up{${job},instance="a"}`, '0x30'],
      [`up{${job},instance="b"}`, '1x30'],
      [`service_calls_total{${job},outcome="ok"}`, '0+600x30'],
      [`service_calls_total{${job},outcome="failed"}`, '0+60x30'],
      [`nodejs_eventloop_delay_seconds{${job},instance="b",quantile="0.99"}`, '0.3x30'],
    ];
    const check = (samples: string[][], alerts: readonly string[]): object => ({
      interval: '1m',
      input_series: samples.map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: '20m',
          exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        },
      ],
    });
    const raised = [
      'PaymentsReplicaDown',
      'PaymentsNotRedundant',
      'PaymentsCallsFail',
      'PaymentsEventLoopLate',
    ];
    const file = join(folder, 'test.json');
    // JSON is YAML.
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [RULES],
        evaluation_interval: '1m',
        tests: [check(healthy, []), check(broken, raised)],
      }),
    );
    expect(promtool('test', 'rules', file)).toMatchObject({ status: 0 });
  });
});

const missingServer = missingPrograms('prometheus');

describe.skipIf(missingServer !== undefined)(`Prometheus (${missingServer ?? 'installed'})`, () => {
  it('scrapes a replica, has data for every panel, and evaluates every rule', async () => {
    const folder = await temporaryFolder(onTestFinished);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const config = readFileSync(`${DEPLOY}prometheus/prometheus.yml`, 'utf8')
      .replace('rules.yml', RULES)
      .replace('scrape_interval: 15s', 'scrape_interval: 500ms\n  evaluation_interval: 500ms')
      .replace(
        / +dns_sd_configs:[\s\S]*$/,
        `    static_configs: [{ targets: ['${new URL(serviceUrl).host}'] }]\n`,
      );
    writeFileSync(join(folder, 'prometheus.yml'), config);
    const prometheus = startProgram('prometheus', [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const ended = once(prometheus, 'exit');
    onTestFinished(async () => {
      prometheus.kill('SIGTERM');
      await ended;
    });
    const read = async <T>(path: string): Promise<{ data: T; error?: string }> =>
      (await (await fetch(origin + path)).json()) as { data: T; error?: string };
    await waitFor(async () => (await fetch(`${origin}/-/ready`).catch(() => undefined))?.ok === true);
    for (const [title, query] of QUERIES.filter(([name]) => !name.startsWith('Payments'))) {
      const asked = encodeURIComponent(query.replaceAll('$__rate_interval', '1m'));
      await waitFor(async () => {
        const { data, error } = await read<{ result: unknown[] }>(`/api/v1/query?query=${asked}`);
        expect(error, title).toBeUndefined();
        return data.result.length > 0;
      });
    }
    interface EvaluatedRule {
      readonly name: string;
      readonly health: string;
    }
    await waitFor(async () => {
      const { data } = await read<{ groups: [{ rules: EvaluatedRule[] }] }>('/api/v1/rules');
      const evaluated = data.groups[0].rules;
      expect(evaluated.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert));
      return evaluated.every(({ health }) => health === 'ok');
    });
  });
});

describe('the alert rules', () => {
  it('are named after the service, and say what to do about them', () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, annotations } of rules) {
      expect(alert).toMatch(/^Payments[A-Z]/);
      expect(annotations.summary).toMatch(/\. [A-Z].+\.$/);
    }
  });
});
