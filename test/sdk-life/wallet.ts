import type * as Web3 from '@solana/web3.js';
import { createPrivateKey, sign } from 'node:crypto';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import type { Address } from '../../src/solana/address.ts';
import { callLedger } from '../stack-process.ts';
import type { Libraries, MagicRouter } from './sdk.ts';

/** A wallet with its accounts for USDC and its connection to the rollup. */
export interface Wallet {
  readonly name: string;
  readonly keypair: Web3.Keypair;
  readonly ata: Web3.PublicKey;
  readonly eata: Web3.PublicKey;
  /** Uses the wallet's token if the rollup requires one. */
  readonly rollup: MagicRouter;
}

const AIRDROP_LAMPORTS = 1_000_000_000;

/** Options for a wallet. */
interface WalletOptions {
  readonly name: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  /** Initial base units of USDC. */
  readonly usdc: bigint;
  /** Whether it logs in to the rollup. */
  readonly isPrivate: boolean;
}

/** Creates a wallet with 1 SOL and USDC from the faucet. */
export async function createWallet({ sdk, web3 }: Libraries, options: WalletOptions): Promise<Wallet> {
  const { name, ledgerUrl, rollupUrl, usdc, isPrivate } = options;
  const keypair = web3.Keypair.generate();
  const owner = keypair.publicKey.toBase58() as Address;
  await callLedger(ledgerUrl, 'requestAirdrop', [owner, AIRDROP_LAMPORTS]);
  await callLedger(ledgerUrl, 'requestTokenAirdrop', [owner, USDC_MINT, Number(usdc)]);
  const url = isPrivate ? `${rollupUrl}?token=${await logIn(sdk, rollupUrl, keypair)}` : rollupUrl;
  return {
    name,
    keypair,
    ata: new web3.PublicKey(deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address),
    eata: sdk.deriveEphemeralAta(keypair.publicKey, new web3.PublicKey(USDC_MINT))[0],
    rollup: new sdk.ConnectionMagicRouter(url, 'confirmed'),
  };
}

async function logIn(sdk: Libraries['sdk'], rollupUrl: string, keypair: Web3.Keypair): Promise<string> {
  // The DER form of an ed25519 seed (RFC 8410), in which Node reads a private key.
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    keypair.secretKey.subarray(0, 32),
  ]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signMessage = async (message: Uint8Array): Promise<Uint8Array> => sign(null, message, key);
  return (await sdk.getAuthToken(rollupUrl, keypair.publicKey, signMessage)).token;
}
