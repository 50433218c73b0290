import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import { callLedger } from '../test/stack-process.ts';

/** USDC of mainnet, which localnet's faucet can mint. */
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const AIRDROP_LAMPORTS = 1_000_000_000;

/**
 * Gives a wallet, by default a new one, 1 SOL and `usdc` base units of USDC from the ledger node's faucet.
 */
export async function createFundedWallet(
  ledgerUrl: string,
  usdc: number,
  own?: KeyPairSigner,
): Promise<KeyPairSigner> {
  const wallet = own ?? (await generateKeyPairSigner());
  await callLedger(ledgerUrl, 'requestAirdrop', [wallet.address, AIRDROP_LAMPORTS]);
  await callLedger(ledgerUrl, 'requestTokenAirdrop', [wallet.address, USDC, usdc]);
  return wallet;
}

/** Signs a built transaction without changing it. Takes and returns base64. */
export async function signAs({ keyPair }: KeyPairSigner, transactionBase64: string): Promise<string> {
  const unsigned = getTransactionDecoder().decode(Buffer.from(transactionBase64, 'base64'));
  return getBase64EncodedWireTransaction(await signTransaction([keyPair], unsigned as never));
}
