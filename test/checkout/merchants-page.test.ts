import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInBash } from '../examples/bash-session.ts';
import { temporaryFolder } from '../../src/ledger/testing/temporary-folder.ts';
import { folderOfFile } from '../folders.ts';
import { portsOf, startStack } from '../stack-process.ts';

const PAGE = readFileSync(new URL('../../docs/merchants.md', import.meta.url), 'utf8');

const blocksOf = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, body = '']) => body,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it.skipIf(process.platform === 'win32')(
  'docs/merchants.md: its commands register a shop, and pay and refund an order with webhooks (need bash and curl)',
  async () => {
    const port = await freePort();
    const withPort = (text: string): string => text.replaceAll('9000', String(port));
    const [start = '', ...commands] = blocksOf('bash').map(withPort);
    const settings = [...start.matchAll(/^export (\w+)=(\S.*)$/gm)].map(([, name, value]) => [name, value]);
    const env = { ...Object.fromEntries(settings), CHECKOUT_SECRET: '0123456789abcdef'.repeat(4) };
    expect(Object.keys(env)).toEqual(['CHECKOUT_SECRET', 'WEBHOOK_ORIGINS']);
    const stack = await startStack(temporaryFolder(), { env });
    try {
      const folder = await folderOfFile();
      const [receiver = ''] = blocksOf('js').map(withPort);
      writeFileSync(join(folder, 'receiver.mjs'), receiver);
      const outputs = await runInBash(
        folder,
        [
          'spp() { node dist/bundle/main.js "$@"; }',
          ...commands.map((text) => text.replaceAll('127.0.0.1:8787', new URL(stack.serviceUrl).host)),
          'kill $!',
        ],
        portsOf(stack),
      );
      const all = outputs.join('\n');
      expect(all).toContain('"status":"paid"');
      expect(all).toContain('type,orderId,reference,');
      expect(all).toMatch(/^refund,\w+,cold,/m);
      expect(all).toMatch(/^payment,\w+,order 1,/m);
      expect(all).toMatch(/^payment\.paid evt_/m);
      expect(all).toMatch(/^refund\.paid evt_/m);
    } finally {
      await stack.stop();
    }
  },
  120_000,
);
