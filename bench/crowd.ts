import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { TOKEN_ACCOUNT_BYTES } from '../src/programs/token/state.ts';
import { writeAddress, type Address } from '../src/solana/address.ts';
import { rpcText } from './call.ts';
import { newWallet } from './wallet.ts';

const WALLETS = 20_000;

/** Calls that go in one body, so that it stays below what a node reads. */
const CALLS_AT_ONCE = 80;

/** Bodies that wait for the disk together. */
const BODIES_AT_ONCE = 16;

const LAMPORTS = 1_000_000_000;
const TOKENS = 1_000_000_000n;

/** Makes wallets on a ledger node, each with SOL and USDC: more than a worker keeps in mind. */
export async function prepareCrowd(ledgerUrl: string): Promise<readonly Address[]> {
  const wallets = Array.from({ length: WALLETS }, newWallet);
  const calls = wallets.flatMap((wallet) => [
    rpcText('surfnet_setAccount', [wallet, { lamports: LAMPORTS }]),
    rpcText('surfnet_setAccount', [
      deriveAta(wallet, USDC_MINT, TOKEN_PROGRAM).address,
      { owner: TOKEN_PROGRAM, data: tokenAccountOf(wallet) },
    ]),
  ]);
  let at = 0;
  const callOn = async (): Promise<void> => {
    while (at < calls.length) await callAll(ledgerUrl, calls.slice(at, (at += CALLS_AT_ONCE)));
  };
  await Promise.all(Array.from({ length: BODIES_AT_ONCE }, callOn));
  return wallets;
}

/** The data of an SPL Token account: mint, owner and amount, and at 108 its state, 1 for initialised; hex. */
function tokenAccountOf(owner: Address): string {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  writeAddress(data, 0, USDC_MINT);
  writeAddress(data, 32, owner);
  data.writeBigUInt64LE(TOKENS, 64);
  data[108] = 1;
  return data.toString('hex');
}

/** A JSON-RPC batch. @throws {Error} when one of the answers is an error. */
async function callAll(url: string, calls: readonly string[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: `[${calls.join()}]` });
  const answers = (await response.json()) as { error?: { message: string } }[];
  if (answers.length !== calls.length) throw new Error(JSON.stringify(answers).slice(0, 200));
  const failed = answers.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(failed.error?.message);
}
