import { playMint } from '../context/console-state.ts';
import type { Console, ExplainInput } from '../context/console.ts';
import type { Example } from '../explain/explain-view.tsx';
import { decodeBase58, decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { propose, requestOf } from '../payments/proposal.ts';
import { fund } from '../wallets/faucet.ts';
import { makeKeypair } from '../wallets/keypair.ts';
import { requestFor } from './intent.ts';

/**
 * Builds an example transaction on the live localnet, with the request it claims to fulfill. Its owner is a
 * new wallet with play money whose key is dropped, so no one can sign it.
 *
 * @throws {Error} if the browser cannot create keys, or the faucet or the service fails.
 */
export async function buildExample(console: Console, example: Example): Promise<ExplainInput> {
  const { api, readers, state, wait, accountsOf } = console;
  const mint = playMint(state.peek());
  if (mint === null) throw new Error('The service has no mint to deposit.');
  const { address: wallet } = await makeKeypair();
  await fund(readers.acting, wallet, mint, wait);
  const intent = { kind: 'deposit', wallet, amount: 10n ** BigInt(mint.decimals) } as const;
  const terms = { mint: mint.mint, layout: state.peek()?.base.layout ?? null, isDelegated: false };
  const { transactionBase64, request, recentBlockhash } = await propose(
    { api, tokenOf: () => null },
    wallet,
    requestFor(intent, terms),
  );
  return {
    what:
      example === 'deposit'
        ? transactionBase64
        : withApproval(
            transactionBase64,
            (await accountsOf(wallet, mint)).ata,
            (await makeKeypair()).address,
            mint.tokenProgram,
          ),
    request: JSON.stringify(requestOf(request, recentBlockhash), null, 2),
  };
}

/** First byte of the token program's Approve instruction, followed by the maximum amount. */
const APPROVE_ALL = [4, 255, 255, 255, 255, 255, 255, 255, 255] as const;

/**
 * Appends the instruction that drainers hide: an approval that lets a thief spend every token of an account.
 *
 * @param transactionBase64 an unsigned legacy transaction with one signer, which owns `account` and names it.
 * @throws {TypeError} for any other transaction.
 */
export function withApproval(
  transactionBase64: string,
  account: string,
  thief: string,
  tokenProgram: string,
): string {
  const bytes = decodeBase64(transactionBase64) ?? new Uint8Array();
  const message = bytes.subarray(65);
  const [signers, , , count = 0] = message;
  const keysEnd = 4 + count * 32;
  const keys = Array.from({ length: count }, (_, at) => message.subarray(4 + at * 32, 36 + at * 32));
  const indexOf = (address: string): number => {
    const wanted = String(decodeBase58(address));
    return keys.findIndex((key) => String(key) === wanted);
  };
  const [program, source] = [indexOf(tokenProgram), indexOf(account)];
  if (bytes[0] !== 1 || signers !== 1 || program < 0 || source < 0)
    throw new TypeError('An approval cannot be appended to this transaction.');
  const changed = Uint8Array.of(
    ...bytes.subarray(0, 65),
    ...message.subarray(0, 2),
    // Adds one read-only account without a signature.
    (message[2] ?? 0) + 1,
    count + 1,
    ...message.subarray(4, keysEnd),
    ...(decodeBase58(thief) ?? []),
    ...message.subarray(keysEnd, keysEnd + 32),
    (message[keysEnd + 32] ?? 0) + 1,
    ...message.subarray(keysEnd + 33),
    program,
    3,
    source,
    count,
    0,
    APPROVE_ALL.length,
    ...APPROVE_ALL,
  );
  return encodeBase64(changed);
}
