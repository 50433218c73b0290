import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { VARIABLES } from '../config/config.ts';
import { readArguments } from './arguments.ts';

function readRootFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}

/** What the MCP registry's schema of 2025-12-11 asks of a server that is launched from an npm package. */
const ServerJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.literal('npx'),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
        }),
      ),
    }),
  ]),
});

const server = ServerJson.parse(readRootFile('server.json'));
const [pack] = server.packages;

describe('server.json', () => {
  it('names the package and the version of package.json', () => {
    const { name, version } = readRootFile('package.json') as { name: string; version: string };
    expect([pack.identifier, pack.version, server.version]).toEqual([name, version, version]);
  });

  it('launches the command that speaks MCP', () => {
    expect(readArguments(pack.packageArguments.map(({ value }) => value))).toMatchObject({ command: 'mcp' });
  });

  it('names settings that there are', () => {
    const names = Object.values(VARIABLES).map(({ name }) => name);
    for (const { name } of pack.environmentVariables) expect(names).toContain(name);
  });
});
