import { createRequire } from 'node:module';
import type * as Web3 from '@solana/web3.js';

type PublicKey = Web3.PublicKey;
type Instruction = Web3.TransactionInstruction;

/** The used part of MagicBlock's SDK, `@magicblock-labs/ephemeral-rollups-sdk` 0.8.8. */
interface Sdk {
  readonly EPHEMERAL_SPL_TOKEN_PROGRAM_ID: PublicKey;
  readonly DELEGATION_PROGRAM_ID: PublicKey;
  readonly ConnectionMagicRouter: new (url: string, commitment: Web3.Commitment) => MagicRouter;
  deriveEphemeralAta(owner: PublicKey, mint: PublicKey): [PublicKey, number];
  deriveVault(mint: PublicKey): [PublicKey, number];
  deriveVaultAta(mint: PublicKey, vault: PublicKey): PublicKey;
  delegateSpl(owner: PublicKey, mint: PublicKey, amount: bigint, terms: object): Promise<Instruction[]>;
  delegatePrivateSpl(
    owner: PublicKey,
    mint: PublicKey,
    amount: bigint,
    terms: object,
  ): Promise<Instruction[]>;
  undelegateIx(owner: PublicKey, mint: PublicKey): Instruction;
  withdrawSplIx(owner: PublicKey, mint: PublicKey, amount: bigint): Instruction;
  getAuthToken(
    rollupUrl: string,
    wallet: PublicKey,
    sign: (message: Uint8Array) => Promise<Uint8Array>,
  ): Promise<{ token: string }>;
  /** Returns the base signature of the commit that a rollup's transaction caused. */
  GetCommitmentSignature(signature: string, rollup: Web3.Connection): Promise<string>;
}

/** The SDK's connection to a rollup, or to a router of several. */
export type MagicRouter = Web3.Connection & {
  getClosestValidator(): Promise<{ identity: string }>;
  getDelegationStatus(account: PublicKey): Promise<{ isDelegated: boolean }>;
  sendAndConfirmTransaction(
    transaction: Web3.Transaction,
    signers: Web3.Signer[],
    options?: Web3.ConfirmOptions,
  ): Promise<string>;
};

/** The SDK and the copy of web3.js that it uses. With another copy, the key classes would differ. */
export interface Libraries {
  readonly sdk: Sdk;
  readonly web3: typeof Web3;
}

/** The reason for a skipped run if {@link loadSdk} returns null. */
export const MISSING = "MagicBlock's SDK is not installed: npm ci --ignore-scripts --prefix bench";

/**
 * Loads the SDK from the benchmark's folder; null if it is not installed. It is not a dependency of the
 * project, because it includes a TypeScript compiler and 100 other packages.
 */
export function loadSdk(): Libraries | null {
  const require = createRequire(new URL('../../bench/package.json', import.meta.url));
  try {
    return {
      sdk: require('@magicblock-labs/ephemeral-rollups-sdk') as Sdk,
      web3: require('@solana/web3.js') as typeof Web3,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
