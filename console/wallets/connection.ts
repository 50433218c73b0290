import { signal, type Source } from '../parts/signal.ts';
import type { FoundWallet } from './standard.ts';

/** A wallet of the browser that someone has connected, and the account it names. */
export interface Connected {
  readonly wallet: FoundWallet;
  readonly address: string;
}

/** The connection to one wallet of the browser: the wallet that was asked last has it, and no other. */
export interface Connection {
  /** Null for none. */
  readonly connected: Source<Connected | null>;
  /** The wallet that has not answered yet; null if none is asked. */
  readonly asking: Source<FoundWallet | null>;
  /** Why the wallet that was asked last did not connect, in its own words; null if it did, or has not answered. */
  readonly fault: Source<string | null>;
  /** Asks a wallet for its account. Whatever was asked or connected before has no say any more. */
  connect(wallet: FoundWallet): Promise<void>;
  /** Waits for no answer any more: one that comes later is not taken. A wallet that is connected stays. */
  callOff(): void;
  /** Lets go of what is connected. */
  forget(): void;
}

export function createConnection(): Connection {
  const connected = signal<Connected | null>(null);
  const asking = signal<FoundWallet | null>(null);
  const fault = signal<string | null>(null);
  let attempts = 0;
  /** Ends every earlier attempt. @returns whether nothing has come after this one. */
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

/** Wallets refuse with an Error, or with what merely looks like one, whose members may throw. */
function wordsOf(error: unknown): string {
  try {
    const { message } = Object(error) as { readonly message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // What it would have said is not to be had.
  }
  return 'It gave no reason.';
}
