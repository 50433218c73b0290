import type { PaymentRequest } from '../payments/proposal.ts';

/** An action that the user wants, before the service has built it. Amounts are base units. */
export type Intent =
  | { readonly kind: 'deposit'; readonly wallet: string; readonly amount: bigint }
  | {
      readonly kind: 'pay';
      readonly wallet: string;
      readonly to: string;
      readonly amount: bigint;
      readonly memo: string;
      /** Whether to pay privately from base to base, which only layout B supports, or else on the rollup. */
      readonly isOnBase: boolean;
    }
  | { readonly kind: 'undelegate'; readonly wallet: string }
  | { readonly kind: 'withdraw'; readonly wallet: string; readonly amount: bigint }
  /** Prepares the mint for private transfers from base to base. */
  | { readonly kind: 'prepare'; readonly wallet: string }
  /** Creates a stealth handle in two transactions: its pool, then its destinations. */
  | {
      readonly kind: 'handle';
      readonly wallet: string;
      readonly handle: string;
      readonly part: 'pool' | 'wallets';
    };

/** The conditions that a request depends on. */
interface Terms {
  readonly mint: string;
  readonly layout: 'a' | 'b' | null;
  /** Whether the wallet's eATA is delegated on base. Deposits then need a shuttle. */
  readonly isDelegated: boolean;
}

/** Converts an intent into a request to the service. */
export function requestFor(intent: Intent, { mint, layout, isDelegated }: Terms): PaymentRequest {
  const { wallet } = intent;
  switch (intent.kind) {
    case 'deposit':
      return {
        operation: 'deposit',
        arguments: { owner: wallet, mint, amount: intent.amount, ...depositForm(layout, isDelegated) },
      };
    case 'pay': {
      const side = intent.isOnBase ? 'base' : 'ephemeral';
      const memo = intent.memo.trim() === '' ? {} : { memo: intent.memo.trim() };
      return {
        operation: 'transfer',
        arguments: {
          from: wallet,
          to: intent.to,
          mint,
          amount: intent.amount,
          visibility: 'private',
          fromBalance: side,
          toBalance: side,
          ...memo,
        },
      };
    }
    case 'undelegate':
      return { operation: 'undelegate', arguments: { payer: wallet, mint } };
    case 'prepare':
      return { operation: 'initializeMint', arguments: { payer: wallet, mint } };
    case 'handle':
      return {
        operation: 'createStealthPool',
        arguments: { payer: wallet, authority: wallet, handle: intent.handle, destinations: [wallet] },
        part: intent.part,
      };
    case 'withdraw':
      return {
        operation: 'withdraw',
        arguments: {
          owner: wallet,
          mint,
          amount: intent.amount,
          ...(layout === 'b' ? { idempotent: false } : {}),
        },
      };
  }
}

/** Options for a deposit. Only layout B has several forms; its direct form creates the vault and the eATA. */
function depositForm(layout: Terms['layout'], isDelegated: boolean) {
  if (layout !== 'b') return {};
  return isDelegated ? { idempotent: true } : { idempotent: false, initVaultIfMissing: true };
}
