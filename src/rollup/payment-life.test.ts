import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import { createMint, createHolding } from '../../test/clients/mint-instructions.ts';
import { Keypair } from '../ledger/keypair.ts';
import { NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { syncNative } from '../programs/token/instructions.ts';
import type { Address } from '../solana/address.ts';
import { openPaymentScene, type PaymentScene } from './testing/payment-scene.ts';

/** The life of private payments through the operations alone, on the real programs and the real rollup. */

let scene: PaymentScene;
beforeEach(async () => {
  scene = await openPaymentScene();
});
afterEach(() => scene.close());

/** Gives wallets tokens on base. */
type Fund = (wallets: readonly Keypair[], amount: bigint) => Promise<Address>;

const fundUsdc: Fund = async (wallets, amount) => {
  for (const { address } of wallets) await scene.base.airdropTokens(address, USDC_MINT, amount);
  return USDC_MINT;
};

const fundWrappedSol: Fund = async (wallets, amount) => {
  for (const wallet of wallets) {
    const { address: ata } = deriveAta(wallet.address, NATIVE_MINT, TOKEN_PROGRAM);
    const place = { payer: wallet.address, owner: wallet.address, mint: NATIVE_MINT, ata };
    await scene.land(
      wallet,
      createAtaIdempotent({ ...place, tokenProgram: TOKEN_PROGRAM }),
      transferLamports(wallet.address, ata, amount),
      syncNative(TOKEN_PROGRAM, ata),
    );
  }
  return NATIVE_MINT;
};
