import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { VARIABLES } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { readArguments } from './arguments.ts';

function readRootFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}

const Input = z.strictObject({
  name: z.string(),
  description: z.string(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isSecret: z.boolean().optional(),
  isRequired: z.boolean().optional(),
  default: z.string().optional(),
});

const Version = z.string().regex(/^\d+\.\d+\.\d+$/);

/**
 * What the MCP registry's schema of 2025-12-11 asks of an npm package that is launched, and of a service at a
 * URL.
 */
const ServerJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: Version,
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: Version,
      runtimeHint: z.literal('npx'),
      packageArguments: z
        .array(z.strictObject({ type: z.literal('positional'), value: z.string() }))
        .optional(),
      transport: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('stdio') }),
        z.strictObject({ type: z.literal('streamable-http'), url: z.string() }),
      ]),
      environmentVariables: z.array(Input),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https:/),
      variables: z.record(z.string(), z.strictObject({ description: z.string() })),
      headers: z.array(Input),
    }),
  ),
});

const server = ServerJson.parse(readRootFile('server.json'));
const VARIABLE_BY_NAME = new Map<string, Variable<unknown>>(
  Object.values<Variable<unknown>>(VARIABLES).map((variable) => [variable.name, variable]),
);

describe('server.json', () => {
  it('names the package and the version of package.json', () => {
    const { name, version } = readRootFile('package.json') as { name: string; version: string };
    expect(server.version).toBe(version);
    expect(server.packages.map(({ identifier, version: of }) => [identifier, of])).toEqual([
      [name, version],
      [name, version],
    ]);
  });

  it('launches the stdio command and the HTTP service', () => {
    const commands = server.packages.map(({ packageArguments = [], transport }) => [
      readArguments(packageArguments.map(({ value }) => value)).command,
      transport.type,
    ]);
    expect(commands).toEqual([
      ['mcp', 'stdio'],
      ['serve', 'streamable-http'],
    ]);
  });

  it('names existing settings with their defaults, and marks the secret ones', () => {
    for (const { name, isSecret = false, default: text } of server.packages.flatMap(
      ({ environmentVariables }) => environmentVariables,
    )) {
      const variable = VARIABLE_BY_NAME.get(name);
      expect(variable, name).toBeDefined();
      expect(isSecret, name).toBe(variable?.isSecret === true);
      if (text !== undefined) expect(text, name).toBe(variable?.default);
    }
    expect(server.remotes[0]?.headers).toMatchObject([{ name: 'Authorization', isSecret: true }]);
  });

  it('has a setting for each open part of the service URL', () => {
    const { transport, environmentVariables } = server.packages[1] as (typeof server.packages)[number];
    const open = transport.type === 'stdio' ? [] : [...transport.url.matchAll(/\{(\w+)\}/g)];
    const names = environmentVariables.map(({ name }) => name);
    expect(open.map(([, name]) => name)).toEqual(['PORT']);
    expect(names).toContain('PORT');
  });
});
