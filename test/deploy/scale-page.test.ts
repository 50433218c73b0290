import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig, VARIABLES } from '../../src/config/config.ts';
import { readYaml } from './read-yaml.ts';

const ROOT = new URL('../..', import.meta.url);
const PAGE = readFileSync(new URL('docs/scale.md', ROOT), 'utf8');
const COMPOSE = readFileSync(new URL('deploy/compose.replicas.yaml', ROOT), 'utf8');

/** The settings of the page for `deploy/.env`. */
const ENV = parseEnv(/^```\n([\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? '');

describe('docs/scale.md', () => {
  it('names only files that exist', () => {
    const files = [...PAGE.matchAll(/\bdeploy\/(?!\.env)[\w./-]*\w/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  it('names only settings that exist', () => {
    const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name));
    const shown = Array.from(PAGE.matchAll(/`([A-Z]+_[A-Z_]+)(?:=\w+)?`/g), ([, name = '']) => name);
    expect(shown.length).toBeGreaterThan(6);
    expect(shown.filter((name) => !known.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
  });

  it('lists for deploy/.env what the compose file needs and the program accepts', () => {
    const needed = [...new Set(Array.from(COMPOSE.matchAll(/\$\{(\w+):\?/g), ([, name = '']) => name))];
    expect(Object.keys(ENV)).toEqual(expect.arrayContaining(needed));
    const { services } = readYaml(COMPOSE) as {
      readonly services: { readonly payments: { readonly environment: Record<string, unknown> } };
    };
    const settings = Object.entries(services.payments.environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+):.*?\}/, (_, variable: string) => ENV[variable] ?? ''),
    ]);
    const config = readConfig({ ...ENV, ...Object.fromEntries(settings), HOST: '0.0.0.0' });
    expect(config.stateUrl?.reveal()).toBe('postgres://payments:letters-and-digits@postgres/payments');
    expect(config).toMatchObject({ cluster: 'mainnet', allowedHosts: ['pay.example.com'] });
  });
});
