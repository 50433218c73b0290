import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import type { Address } from '../../src/solana/address.ts';
import { PaymentsClient } from '../../test/external-validator/payments-client.ts';
import { waitFor } from '../../test/stack-process.ts';
import { call } from '../call.ts';
import { loadPopulation, type Population } from '../ledger/population.ts';
import { createPayer, type Payer } from '../rollup/payer.ts';
import type { Stack } from '../stack.ts';

/** Who lives on the stack that is soaked. */
export interface Residents {
  readonly population: Population;
  /** Wallets with SOL and USDC on the base ledger. */
  readonly wallets: readonly Address[];
  /** Wallets whose USDC are in the rollup. */
  readonly payers: readonly Payer[];
  /** One whose USDC have come out of it again and can be withdrawn. */
  readonly leaver: Payer;
}

const AIRDROP_LAMPORTS = 100_000_000_000;
const AIRDROP_USDC = 1_000_000_000;
const PAYERS = 4;
const DEPOSIT = 1_000_000_000;

/** Funds everybody. */
export async function settleResidents(stack: Pick<Stack, 'serviceUrl' | 'ledgerUrl'>): Promise<Residents> {
  const population = await loadPopulation();
  const wallets = population.wallets.map(({ address }) => address as Address);
  for (const wallet of wallets) {
    await call(stack.ledgerUrl, 'requestAirdrop', [wallet, AIRDROP_LAMPORTS]);
    await call(stack.ledgerUrl, 'requestTokenAirdrop', [wallet, USDC_MINT, AIRDROP_USDC]);
  }
  const payers: Payer[] = [];
  while (payers.length < PAYERS) payers.push(await createPayer(stack, DEPOSIT));
  const leaver = await createPayer(stack, DEPOSIT);
  await leave(stack, leaver);
  return { population, wallets, payers, leaver };
}

/** Where the wallet's USDC are. */
export const ataOf = (wallet: Address): Address => deriveAta(wallet, USDC_MINT, TOKEN_PROGRAM).address;

async function leave({ serviceUrl, ledgerUrl }: Pick<Stack, 'serviceUrl' | 'ledgerUrl'>, leaver: Payer) {
  const eata = deriveEata(leaver.keypair.address, USDC_MINT).address;
  const terms = { payer: leaver.keypair.address, mint: USDC_MINT };
  await new PaymentsClient(serviceUrl).do(leaver.signer, 'undelegate-ephemeral-ata', terms);
  await waitFor(async () => {
    const account = await call<{ value: { owner: string } }>(ledgerUrl, 'getAccountInfo', [
      eata,
      { encoding: 'base64' },
    ]);
    return account.value.owner === EPHEMERAL_TOKEN_PROGRAM;
  });
}
