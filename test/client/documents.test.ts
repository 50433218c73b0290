import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp, type RunningApp } from './running-app.ts';
import { inShortForm } from '../length.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A program that the document shows, and the output it shows after it. */
interface Snippet {
  readonly title: string;
  readonly code: string;
  readonly shown: string;
}

const document = ['docs/client.md', 'docs/kit.md', 'docs/policy.md']
  .map((page) => readFileSync(join(ROOT, page), 'utf8'))
  .join('\n## ');

const snippets: readonly Snippet[] = document.split('\n## ').flatMap((section) => {
  const blocks = section.matchAll(/^```ts\n(.*?)^```\n\n```\n(.*?)^```$/gms);
  const title = section.split('\n')[0] ?? '';
  return Array.from(blocks, ([, code = '', shown = '']) => ({ title, code, shown }));
});

/** The folder from which a snippet resolves its imports. */
const PLACES: Readonly<Record<string, string>> = {
  'spl-private-payments/client': pathToFileURL(join(ROOT, 'src/client/index.ts')).href,
  'spl-private-payments/kit': pathToFileURL(join(ROOT, 'src/kit/index.ts')).href,
  '@solana/kit': pathToFileURL(join(ROOT, 'node_modules/@solana/kit/dist/index.node.mjs')).href,
};

describe('docs/client.md, docs/kit.md and docs/policy.md', () => {
  let app: RunningApp;
  let folder: string;
  beforeAll(async () => {
    app = await runApp();
    folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the output of every program in it', () => {
    expect(snippets).toHaveLength(document.match(/^```ts$/gm)?.length ?? 0);
    expect(snippets.length).toBeGreaterThan(0);
  });

  it.each(inShortForm(2, snippets))('$title: prints the output it shows', async ({ title, code, shown }) => {
    const program = code
      .replaceAll(/from '([^']+)'/g, (_, name: string) => `from '${PLACES[name] ?? name}'`)
      .replaceAll('http://127.0.0.1:8787', app.serviceUrl)
      .replaceAll('http://127.0.0.1:8899', app.ledgerUrl)
      .replaceAll('http://127.0.0.1:7799', app.rollupUrl);
    const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.mts`);
    writeFileSync(file, program);
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(stdout, stderr).toBe(shown);
  });
});
