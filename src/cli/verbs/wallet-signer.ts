import type { Address, SignatureBytes, TransactionSigner } from '@solana/kit';
import type { Chain } from '../../chain/chain.ts';
import { RollupSession } from '../../kit/rollup-session.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { systemClock } from '../../ports/clock.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { printableLines, type Terminal } from './terminal.ts';
import type { VerbCall } from './verb-call.ts';

/** A signer for kit's checks. */
interface WalletSigner {
  readonly signer: TransactionSigner;
  /** Returns the last transaction signature, base58; null before the first. */
  signature(): string | null;
}

/**
 * Creates a signer of transactions and texts.
 *
 * @param beforeHandingOut called with a transaction's signature, base58; rejects if the signature must not be
 * used.
 */
export function signerOf(
  keypair: Keypair,
  beforeHandingOut: (signature: string) => Promise<void> = () => Promise.resolve(),
): WalletSigner {
  let last: string | null = null;
  const address = keypair.address as string as Address;
  const sign = (bytes: Uint8Array) => ({ [address]: keypair.sign(bytes) as SignatureBytes });
  const signer = {
    address,
    signTransactions: (transactions: readonly { readonly messageBytes: Uint8Array }[]) =>
      Promise.all(
        transactions.map(async ({ messageBytes }) => {
          const signatures = sign(messageBytes);
          const text = encodeBase58(signatures[address] ?? new Uint8Array());
          await beforeHandingOut(text);
          last = text;
          return signatures;
        }),
      ),
    signMessages: (messages: readonly { readonly content: Uint8Array }[]) =>
      Promise.resolve(messages.map(({ content }) => sign(content))),
  };
  return { signer: signer as unknown as TransactionSigner, signature: () => last };
}

/** Creates a wallet's rollup session. Only the user, not `--yes`, can confirm an unknown login text. */
export function sessionOf({ terminal }: VerbCall, chain: Chain, wallet: TransactionSigner): RollupSession {
  return new RollupSession(chain, wallet, systemClock, async (text) => {
    if (!terminal.canAsk) return false;
    const lines = text.split('\n').map((line) => `  ${line}`);
    terminal.log(
      `The rollup asks your wallet to sign this text, which is not a known login:\n${printableLines(lines)}\n`,
    );
    return await confirms(terminal, 'Sign it?');
  });
}

/** Asks a yes/no question at the terminal. Any other answer means no. */
export const confirms = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `)).trim());
