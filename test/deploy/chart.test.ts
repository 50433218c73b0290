import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { findProgram } from '../../src/state/testing/server-process.ts';
import { STOP_MS_MAX } from '../../src/supervisor/supervision.ts';
import { readYaml, readYamlDocuments } from './read-yaml.ts';
import { renderTemplate } from './render-chart.ts';

const CHART = fileURLToPath(new URL('../../deploy/helm/', import.meta.url));
const read = (path: string): string => readFileSync(`${CHART}${path}`, 'utf8');

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: Record<string, unknown>;
}

interface Values {
  readonly image: { readonly tag: string; readonly digest: string };
  readonly settings: Record<string, string>;
  readonly replicas: { readonly min: number; readonly max: number };
}

const chart = readYaml(read('Chart.yaml')) as { name: string; version: string; appVersion: string };
const values = readYaml(read('values.yaml')) as Values;

/** Renders the chart, with these values in place of its own. */
function render(changed: object = {}): Resource[] {
  const scope = {
    Release: { Name: 'payments' },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
    Values: { ...values, ...changed },
  };
  return readdirSync(`${CHART}templates`).flatMap(
    (file) => readYamlDocuments(renderTemplate(read(`templates/${file}`), scope)) as Resource[],
  );
}

const RESOURCES = render();
const find = (kind: string): Resource =>
  RESOURCES.find((resource) => resource.kind === kind) ?? expect.fail(`no ${kind}`);

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [
    {
      readonly image: string;
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly [member: string]: unknown;
    },
  ];
}

const podOf = (deployment: Resource): Pod => (deployment.spec as { template: { spec: Pod } }).template.spec;
const pod = podOf(find('Deployment'));
const [container] = pod.containers;

describe('the Helm chart', () => {
  it('has the version of the program', () => {
    expect(chart).toMatchObject({ version: manifest.version, appVersion: manifest.version });
    expect(values.image.tag).toBe(manifest.version);
  });

  it('runs at least two replicas, one of which always stays', () => {
    expect(RESOURCES.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(find('HorizontalPodAutoscaler').spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 5,
      scaleTargetRef: { kind: 'Deployment', name: find('Deployment').metadata.name },
      metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
    });
    expect(find('PodDisruptionBudget').spec).toMatchObject({ minAvailable: 1 });
    expect(find('Deployment').spec).toMatchObject({
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
  });

  it('selects the same pods in every resource', () => {
    const labels = {
      'app.kubernetes.io/name': 'spl-private-payments',
      'app.kubernetes.io/instance': 'payments',
    };
    expect(find('Deployment').spec).toMatchObject({
      selector: { matchLabels: labels },
      template: { metadata: { labels } },
    });
    expect(find('Service').spec['selector']).toEqual(labels);
    expect(find('PodDisruptionBudget').spec['selector']).toEqual({ matchLabels: labels });
    expect(find('NetworkPolicy').spec['podSelector']).toEqual({ matchLabels: labels });
  });

  it('grants nothing: another user than root, a read-only file system, no capabilities', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container['securityContext']).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(container['volumeMounts']).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
    expect(container['resources']).toMatchObject({ limits: { memory: '1Gi' } });
  });

  it('sends requests to replicas that are ready, and waits for those in progress', () => {
    expect(container).toMatchObject({
      ports: [{ name: 'http', containerPort: readConfig({}).port }],
      readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health', port: 'http' } },
    });
    const preStopMs = 5_000;
    expect(container['lifecycle']).toMatchObject({ preStop: { exec: { command: ['sleep', '5'] } } });
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(STOP_MS_MAX + preStopMs);
  });

  it('has settings that the program accepts, and takes the secret ones from a Secret', () => {
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    expect(env).toEqual(values.settings);
    const secrets = {
      LEDGER_UPSTREAM_URL: 'https://a.example',
      BASE_RPC_URL: 'https://a.example',
      EPHEMERAL_RPC_URL: 'https://b.example',
    };
    expect(readConfig({ ...env, ...secrets, HOST: '0.0.0.0' })).toMatchObject({
      connectionsPerAddress: HTTP_LIMITS.connectionsMax,
      metrics: true,
      console: false,
    });
    expect(container['envFrom']).toEqual([{ secretRef: { name: 'spl-private-payments' } }]);
    expect(read('values.yaml')).not.toMatch(/(?:postgres|redis|https?):\/\/(?!pay\.example\.com)/);
  });

  it('allows connections only from the named namespaces, and to DNS, RPC providers, PostgreSQL and Redis', () => {
    const name = 'kubernetes.io/metadata.name';
    expect(find('NetworkPolicy').spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { namespaceSelector: { matchLabels: { [name]: 'ingress-nginx' } } },
            { namespaceSelector: { matchLabels: { [name]: 'monitoring' } } },
          ],
          ports: [{ port: 'http' }],
        },
      ],
    });
    const [{ ports }] = find('NetworkPolicy').spec['egress'] as [{ ports: { port: number }[] }];
    expect(ports.map(({ port }) => port)).toEqual([53, 53, 443, 5432, 6379]);
  });

  it('prefers the digest of an image to its tag', () => {
    const imageOf = (image: object): string =>
      podOf(render({ image }).find(({ kind }) => kind === 'Deployment') as Resource).containers[0].image;
    expect(imageOf(values.image)).toBe(`spl-private-payments:${manifest.version}`);
    expect(imageOf({ ...values.image, digest: 'sha256:00' })).toBe('spl-private-payments@sha256:00');
  });

  // Debian has no package of Helm, so CI renders the chart only with `renderTemplate`.
  const program = findProgram('helm') ?? '';
  it.skipIf(program === '')('passes helm lint and renders as here (skipped if helm is not installed)', () => {
    const helm = (...args: string[]): string => execFileSync(program, args, { encoding: 'utf8' });
    helm('lint', '--strict', CHART);
    const rendered = readYamlDocuments(helm('template', 'payments', CHART).replace(/^---\n/, ''));
    const byKind = (resources: readonly unknown[]): unknown[] =>
      (resources as Resource[]).toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
    expect(byKind(rendered)).toEqual(byKind(RESOURCES));
  });
});
