import type { LedgerReader } from '../readers/reader.ts';

/** Amounts for a test wallet: 1 SOL for fees and rent, and 10 whole tokens. */
const LAMPORTS = 1_000_000_000;
const TOKENS = 10n;

/** Maximum number and interval of polls for the airdrops. A slot of localnet takes 400 ms. */
const LOOKS_MAX = 100;
const LOOK_MS = 100;

/** Thrown if the faucet fails. */
class FaucetRefused extends Error {
  override readonly name = 'FaucetRefused';
}

/**
 * Requests play money for a wallet on localnet, and waits until it has landed.
 *
 * @returns the signatures of the SOL and token airdrops.
 * @throws {FaucetRefused} with the ledger's message.
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
