import { randomBytes } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { Keypair, signTransaction } from '../../src/ledger/keypair.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import { signer, writable } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { PaymentsClient } from '../../test/external-validator/payments-client.ts';
import { waitFor } from '../../test/stack-process.ts';
import { call } from '../call.ts';
import type { Contestant } from './contestants.ts';

const AIRDROP_LAMPORTS = 1_000_000_000;

/** A wallet whose tokens are in the rollup. */
export interface Payer {
  readonly signer: KeyPairSigner;
  readonly keypair: Keypair;
  readonly ata: Address;
}

type Where = Pick<Contestant, 'serviceUrl' | 'ledgerUrl'>;

/**
 * Makes a wallet, funds it and deposits all it has for everybody to see; resolves when the rollup knows of
 * it.
 */
export async function createPayer({ serviceUrl, ledgerUrl }: Where, deposit: number): Promise<Payer> {
  const seed = new Uint8Array(randomBytes(32));
  const keypair = new Keypair(seed);
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  await call(ledgerUrl, 'requestAirdrop', [wallet.address, AIRDROP_LAMPORTS]);
  await call(ledgerUrl, 'requestTokenAirdrop', [wallet.address, USDC_MINT, deposit]);
  const payments = new PaymentsClient(serviceUrl);
  const terms = { owner: wallet.address, mint: USDC_MINT, amount: deposit, private: false };
  await payments.do(wallet, 'deposit', terms);
  await waitFor(async () => (await payments.balanceInRollup(wallet)) === String(deposit));
  return { signer: wallet, keypair, ata: deriveAta(keypair.address, USDC_MINT, TOKEN_PROGRAM).address };
}

/** A signed transfer of base units between two of them, base64. */
export function signPayment(from: Payer, to: Payer, amount: number, blockhash: string): string {
  // SPL Token `Transfer`: tag 3 and the amount.
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, BigInt(amount), true);
  const message = compileLegacyMessage({
    feePayer: from.keypair.address,
    blockhash: decodeBase58(blockhash),
    instructions: [
      {
        programId: TOKEN_PROGRAM,
        accounts: [writable(from.ata), writable(to.ata), signer(from.keypair.address)],
        data,
      },
    ],
  });
  return Buffer.from(signTransaction(message, [from.keypair]).wire).toString('base64');
}
