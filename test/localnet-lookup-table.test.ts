import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readKeypair } from '../scripts/lookup-table/make-table.ts';
import type { Keypair } from '../src/ledger/keypair.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { signBuilt } from '../src/rollup/testing/payment-scene.ts';
import { temporaryFolder } from './folders.ts';
import { callLedger, postJson, startStack, waitFor, type StackProcess } from './stack-process.ts';
import { IS_LONG } from './length.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FRIEND = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const AMOUNT = 10_000;
const QUICK = { LEDGER_SLOT_MS: '50' };

/** Runs a module of the project as its commands do; what it prints. */
async function runModule(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', ...args], { cwd: ROOT });
  return stdout.trim();
}

async function startLocalnet(folder: string, env: Record<string, string> = {}): Promise<StackProcess> {
  const stack = await startStack(folder, { args: ['--programs', LAYOUT_B_FOLDER ?? ''], env });
  onTestFinished(() => stack.stop().then(() => undefined));
  return stack;
}

type Built = Record<string, unknown> & { readonly transactionBase64: string };

async function build(stack: StackProcess, path: string, args: object): Promise<Built> {
  return (await postJson(`${stack.serviceUrl}/v1/spl/${path}`, args)) as unknown as Built;
}

async function land(stack: StackProcess, wallet: Keypair, { transactionBase64 }: Built): Promise<void> {
  const sent = await postJson(`${stack.serviceUrl}/v1/transaction/send`, {
    transactionBase64: signBuilt(wallet, transactionBase64),
    sendTo: 'base',
    confirm: true,
  });
  expect(sent).toMatchObject({ confirmed: true });
}

describe.runIf(IS_LONG && LAYOUT_B_FOLDER !== null)(
  `a lookup table on localnet (needs ${NO_LAYOUT_B})`,
  () => {
    it('is created by the script, named by the setting, and used by a private payment', async () => {
      const folder = await temporaryFolder((remove) => onTestFinished(remove));
      const file = join(await temporaryFolder((remove) => onTestFinished(remove)), 'alice.json');
      await runModule('src/cli/main.ts', 'wallet', 'new', '-k', file);
      const alice = readKeypair(await readFile(file, 'utf8'));
      // A new table can be named once the slot is over in which it was made.
      const before = await startLocalnet(folder, QUICK);
      await callLedger(before.ledgerUrl, 'requestAirdrop', [alice.address, 5_000_000_000]);
      await callLedger(before.ledgerUrl, 'requestTokenAirdrop', [alice.address, USDC_MINT, 1_000_000]);
      const script = ['scripts/lookup-table/main.ts', '--keypair', file, '--service', before.serviceUrl];
      const made = JSON.parse(await runModule(...script, '--mint', USDC_MINT, '--send')) as {
        readonly lookupTable: string;
        readonly setting: string;
      };
      expect(made).toMatchObject({
        setting: 'PRIVATE_BASE_TO_BASE_TRANSFER_LOCALNET_LOOKUP_TABLE',
        sent: true,
      });
      await before.stop();

      const after = await startLocalnet(folder, { ...QUICK, [made.setting]: made.lookupTable });
      await land(
        after,
        alice,
        await build(after, 'initialize-mint', { payer: alice.address, mint: USDC_MINT }),
      );
      const payment = await build(after, 'transfer', {
        from: alice.address,
        to: FRIEND,
        mint: USDC_MINT,
        amount: AMOUNT,
        visibility: 'private',
        memo: 'Order #1042',
        initVaultIfMissing: true,
      });
      expect(payment).toMatchObject({ version: 'v0' });
      await land(after, alice, payment);
      const ata = deriveAta(FRIEND as typeof alice.address, USDC_MINT, TOKEN_PROGRAM).address;
      const paid = await waitFor(() =>
        callLedger<{ value: { amount: string } }>(after.ledgerUrl, 'getTokenAccountBalance', [ata]),
      );
      expect(paid.value.amount).toBe(String(AMOUNT));
    }, 180_000);
  },
);
