import { signal, type Source } from '../parts/signal.ts';
import type { FoundWallet } from './standard.ts';

/** A connected wallet and its account. */
export interface Connected {
  readonly wallet: FoundWallet;
  readonly address: string;
}

/** The connection to a wallet of the browser. Only the wallet that was requested last can be connected. */
export interface Connection {
  /** The connected wallet; null for none. */
  readonly connected: Source<Connected | null>;
  /** The wallet with a pending request; null for none. */
  readonly asking: Source<FoundWallet | null>;
  /** The wallet's message if the last request failed; else null. */
  readonly fault: Source<string | null>;
  /** Requests the account of a wallet. Ends every previous request and connection. */
  connect(wallet: FoundWallet): Promise<void>;
  /** Cancels the pending request. A connected wallet stays connected. */
  callOff(): void;
  /** Disconnects the wallet. */
  forget(): void;
}

export function createConnection(): Connection {
  const connected = signal<Connected | null>(null);
  const asking = signal<FoundWallet | null>(null);
  const fault = signal<string | null>(null);
  let attempts = 0;
  /** Ends every earlier attempt. @returns a function that returns whether this attempt is the latest. */
  const begin = (wallet: FoundWallet | null): (() => boolean) => {
    const attempt = ++attempts;
    asking.value = wallet;
    fault.value = null;
    connected.value = null;
    return () => attempt === attempts;
  };
  return {
    connected,
    asking,
    fault,
    connect: async (wallet) => {
      const isLatest = begin(wallet);
      const change = (address: string | null): void => {
        if (isLatest() && connected.peek() !== null)
          connected.value = address === null ? null : { wallet, address };
      };
      try {
        const address = await wallet.connect(change);
        if (isLatest()) connected.value = { wallet, address };
      } catch (error) {
        if (isLatest()) fault.value = wordsOf(error);
      } finally {
        if (isLatest()) asking.value = null;
      }
    },
    callOff: () => {
      if (connected.peek() === null) begin(null);
    },
    forget: () => void begin(null),
  };
}

/** The message of an error that a wallet threw. It may be any value, even one with throwing getters. */
function wordsOf(error: unknown): string {
  try {
    const { message } = Object(error) as { readonly message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // A getter threw, so there is no message.
  }
  return 'It gave no reason.';
}
