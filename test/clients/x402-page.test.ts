import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { areClientsInstalled, INSTALL_COMMAND } from '../../clients/installed.ts';
import { runInBash } from '../examples/bash-session.ts';
import { folderOfFile } from '../folders.ts';
import { portsOf, runToEnd, startStack } from '../stack-process.ts';

const PAGE = readFileSync(new URL('../../docs/x402.md', import.meta.url), 'utf8');
const PACKAGES = fileURLToPath(new URL('../../clients/node_modules', import.meta.url));

const isSkipped = !areClientsInstalled() || process.platform === 'win32';
const REASON = isSkipped ? ` (skipped: run \`${INSTALL_COMMAND}\` first, and on Windows)` : '';

const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';

/** The server of the page, in an app that sells a resource. Its arguments: the merchant. */
function shopOf(facilitatorUrl: string): string {
  const lines = blockOf('ts').replace('http://127.0.0.1:8787/x402', facilitatorUrl).split('\n');
  return [
    "import express from 'express';",
    ...lines.filter((line) => line.startsWith('import ')),
    'const [MERCHANT] = process.argv.slice(2);',
    'const app = express();',
    ...lines.filter((line) => !line.startsWith('import ')),
    "app.get('/weather', (_, response) => response.json({ sunny: true }));",
    "const listening = app.listen(0, '127.0.0.1', () => console.log(listening.address().port));",
  ].join('\n');
}

/** The packages of `clients` do not include this one. */
const KIT = new URL('../../node_modules/@solana/kit/dist/index.node.mjs', import.meta.url).href;

/** A stock client. Its arguments: the payer's key file, the ledger and the URL to pay for. */
const BUYER = `
import { readFileSync } from 'node:fs';
import { createKeyPairSignerFromBytes } from '${KIT}';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
const [file, rpcUrl, url] = process.argv.slice(2);
const payer = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));
const client = new x402Client().register('solana:*', new ExactSvmScheme(payer, { rpcUrl }));
const response = await wrapFetchWithPayment(fetch, client)(url);
console.log(response.status, await response.text());
`;

describe.skipIf(isSkipped)(`docs/x402.md${REASON}`, () => {
  it('has two commands and a server that stock clients can pay', { timeout: 120_000 }, async () => {
    const [create = '', start = ''] = blockOf('bash').split('\n');
    expect(create).toMatch(/^spp wallet new -k facilitator\.json /);
    expect(start).toBe('FACILITATOR_SECRET_KEY_FILE=facilitator.json npm start');
    const folder = await folderOfFile();
    const key = join(folder, 'facilitator.json');
    expect((await runToEnd(['wallet', 'new', '-k', key], {})).code).toBe(0);
    const data = join(folder, 'data');
    const stack = await startStack(data, { env: { FACILITATOR_SECRET_KEY_FILE: key } });
    try {
      writeFileSync(join(folder, 'shop.mjs'), shopOf(`${stack.serviceUrl}/x402`));
      writeFileSync(join(folder, 'buyer.mjs'), BUYER);
      symlinkSync(PACKAGES, join(folder, 'node_modules'));
      const outputs = await runInBash(
        folder,
        [
          'spp() { node dist/bundle/main.js "$@"; }\nspp fund -k facilitator.json',
          'for name in merchant payer; do spp wallet new -k $name.json; spp fund -k $name.json; done',
          'node shop.mjs $(spp wallet show -k merchant.json) > port.txt 2> errors.txt &\nuntil [ -s port.txt ]; do sleep 0.1; kill -0 $!; done',
          `node buyer.mjs payer.json ${stack.ledgerUrl} http://127.0.0.1:$(cat port.txt)/weather; kill $!`,
          'spp balance -k merchant.json',
        ],
        portsOf(stack),
      );
      expect(outputs[3]).toBe('200 {"sunny":true}\n');
      expect(outputs[4]).toContain('100.01 USDC');
    } finally {
      await stack.stop();
    }
  });
});
