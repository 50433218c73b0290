import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { STOP_MS_MAX } from '../../src/supervisor/supervision.ts';
import { readYaml } from './read-yaml.ts';

const FOLDER = new URL('../../deploy/', import.meta.url);
const ROOT = fileURLToPath(new URL('..', FOLDER));
const read = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly deploy?: { readonly replicas: number };
  readonly stop_grace_period?: string;
  readonly [member: string]: unknown;
}

const TEXT = read('compose.replicas.yaml');
const COMPOSE = readYaml(TEXT) as {
  readonly services: Record<string, ComposeService>;
  readonly volumes: object;
  readonly networks: { readonly default: { readonly ipam: { readonly config: [{ subnet: string }] } } };
};
const SERVICES = Object.entries(COMPOSE.services);
const payments = COMPOSE.services['payments'] as ComposeService;

describe('the compose file of replicas', () => {
  it('has two replicas, haproxy, PostgreSQL, Redis, Prometheus and Grafana', () => {
    expect(Object.keys(COMPOSE.services)).toEqual([
      'haproxy',
      'payments',
      'postgres',
      'redis',
      'prometheus',
      'grafana',
    ]);
    expect(payments.deploy?.replicas).toBe(2);
  });

  it.each(SERVICES)('limits memory, processes and privileges of %s', (_, service) => {
    expect(service).toMatchObject({
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: 256,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    });
  });

  it.each(SERVICES)('pins the image of %s and publishes its ports only on loopback', (name, service) => {
    if (name !== 'payments') expect(service.image).toMatch(/^[a-z/]+:v?\d+\.\d+(?:\.\d+)?$/);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  it('mounts only files that exist and volumes that it declares', () => {
    const sources = SERVICES.flatMap(([, { volumes = [] }]) =>
      volumes.map((each) => each.split(':')[0] ?? ''),
    );
    const files = sources.filter((source) => source.startsWith('.'));
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => !existsSync(new URL(file, FOLDER)))).toEqual([]);
    expect(sources.filter((source) => !source.startsWith('.')).toSorted()).toEqual(
      Object.keys(COMPOSE.volumes).toSorted(),
    );
  });

  it('contains no secrets: passwords come from deploy/.env, and starting fails without them', () => {
    const passwords = Array.from(
      TEXT.matchAll(/PASSWORD: (.+)$|postgres:\/\/payments:(.+)@/gm),
      ([, value, inUrl]) => value ?? inUrl,
    );
    expect(passwords).toHaveLength(3);
    for (const password of passwords) {
      expect(password).toMatch(/^\$\{(\w+_PASSWORD):\?set \1 in deploy\/\.env\}$/);
    }
  });

  it('configures replicas that share their state, accept the client from haproxy, and have metrics', () => {
    const { environment = {} } = payments;
    const config = readConfig({
      ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
      STATE_URL: environment['STATE_URL']?.replace(/\$\{.*?\}/, 'x'),
      LEDGER_UPSTREAM_URL: 'https://a.example',
      BASE_RPC_URL: 'https://a.example',
      EPHEMERAL_RPC_URL: 'https://b.example',
      HOST: '0.0.0.0',
    });
    const facts = { connectionsPerAddress: HTTP_LIMITS.connectionsMax, metrics: true, console: false };
    expect(config).toMatchObject(facts);
    expect(config.stateUrl?.reveal()).toBe('postgres://payments:x@postgres/payments');
    expect(config.limitsUrl?.reveal()).toBe('redis://redis:6379');
    expect(environment['TRUSTED_PROXIES']).toBe(COMPOSE.networks.default.ipam.config[0].subnet);
  });

  it('waits longer for the exit than the supervisor does', () => {
    expect(parseInt(payments.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(STOP_MS_MAX);
  });

  it('scrapes the replicas and provisions the dashboard and the rules', () => {
    expect(readYaml(read('prometheus/prometheus.yml'))).toMatchObject({
      rule_files: ['rules.yml'],
      scrape_configs: [{ dns_sd_configs: [{ names: ['payments'], type: 'A', port: readConfig({}).port }] }],
    });
    const { volumes = [] } = COMPOSE.services['grafana'] as ComposeService;
    const { providers } = readYaml(read('grafana/provider.yaml')) as {
      readonly providers: readonly [{ readonly options: { readonly path: string } }];
    };
    expect(volumes).toContain(`./grafana/dashboard.json:${providers[0].options.path}/dashboard.json:ro`);
    expect(readYaml(read('grafana/datasource.yaml'))).toMatchObject({
      datasources: [{ type: 'prometheus', url: 'http://prometheus:9090' }],
    });
  });
});

/** Hosts of public registries, in parts so that this file does not contain them. */
const REGISTRIES = [
  ['docker', 'io'],
  ['ghcr', 'io'],
  ['quay', 'io'],
  ['gcr', 'io'],
  ['registry', 'k8s', 'io'],
  ['public', 'ecr', 'aws'],
  ['mcr', 'microsoft', 'com'],
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
].map((parts) => parts.join('.'));

/** The files of the repository, by their path from its root. */
const FILES = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !/^(?:\.git|node_modules|dist|ledger-data)$/.test(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true }).map((inner) =>
          inner.isFile() ? join(inner.parentPath, inner.name) : '',
        )
      : [join(ROOT, entry.name)],
  )
  .filter((file) => file !== '' && !file.includes('/node_modules/'));

it('no file names the host of a package registry, so mirrors work', () => {
  expect(FILES.length).toBeGreaterThan(1_000);
  const naming = FILES.filter((file) => {
    const text = readFileSync(file, 'latin1');
    return REGISTRIES.some((host) => text.includes(host));
  });
  expect(naming).toEqual([]);
});
