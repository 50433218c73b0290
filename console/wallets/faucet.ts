import type { LedgerReader } from '../readers/reader.ts';

/** What a test wallet is given: 1 SOL for fees and rents, and 10 whole tokens. */
const LAMPORTS = 1_000_000_000;
const TOKENS = 10n;

/** Looks for what was given, and how long at most. A slot of localnet is 400 ms. */
const LOOKS_MAX = 100;
const LOOK_MS = 100;

/** The faucet gave nothing; the message says why. */
class FaucetRefused extends Error {
  override readonly name = 'FaucetRefused';
}

/**
 * Gives a wallet of localnet play money, and waits until base shows it.
 *
 * @returns the signatures, of the SOL and of the tokens.
 * @throws {FaucetRefused} with the ledger's words.
 */
export async function fund(
  base: LedgerReader,
  wallet: string,
  { mint, decimals }: { readonly mint: string; readonly decimals: number },
  wait: (ms: number) => Promise<void>,
): Promise<readonly string[]> {
  const amount = TOKENS * 10n ** BigInt(decimals);
  const given = await Promise.all([
    base.fresh<string>('requestAirdrop', [wallet, LAMPORTS]),
    base.fresh<string>('requestTokenAirdrop', [wallet, mint, amount.toString()]),
  ]);
  const signatures = given.map((answer) => {
    if (answer.kind === 'failed') throw new FaucetRefused(answer.message);
    return answer.value;
  });
  for (let look = 0; look < LOOKS_MAX; look++) {
    const statuses = await base.fresh<{ readonly value: readonly (object | null)[] }>(
      'getSignatureStatuses',
      [signatures],
    );
    if (statuses.kind === 'value' && statuses.value.value.every((status) => status !== null))
      return signatures;
    await wait(LOOK_MS);
  }
  throw new FaucetRefused('The faucet’s transactions did not land within 10 seconds.');
}
