import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

/** Within the project, so that the package finds itself by its name. */
const folder = mkdtempSync(join(fileURLToPath(new URL('../dist', import.meta.url)), 'embedded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import { createClient, generateKeyPairSigner } from '@solana/kit';
import { privatePayments } from 'spl-private-payments/kit';

const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const payer = await generateKeyPairSigner();
const client = await createClient({ payer }).use(privatePayments({ embedded: true, limits: { maxAmount: 2_000_000n } }));
const { payments } = client;
const { outcome, explanation } = await payments.deposit({ amount: 1_500_000n });
console.log(outcome, explanation.verdict, client.payer === payer);
console.log(await payments.balance({ mint }), await payments.privateBalance({ mint }));
const { address: to } = await generateKeyPairSigner();
const terms = { to, mint, visibility: 'public', initRecipientAta: true };
const refused = await payments.transfer({ ...terms, amount: 2_000_001n }).catch((error) => error);
console.log(refused.reasons.map(({ code }) => code).includes('LIMIT'));
await payments.close();
`;

describe('privatePayments({ embedded: true })', () => {
  it('starts a localnet, gives the wallet SOL and USDC, and leaves nothing that keeps the process', async () => {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, PROGRAM);
    // Node 20.18.1 says of the keys that kit makes with it that Ed25519 is an experiment; nothing else may be said.
    const args = ['--disable-warning=ExperimentalWarning', file];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
    expect({ stdout, stderr }).toEqual({
      stdout: 'arrived clear true\n98500000n 1500000n\ntrue\n',
      stderr: '',
    });
  });
});
