import type { PaymentRequest } from '../payments/proposal.ts';

/** What someone wants of a wallet, before the service has built anything. Amounts are base units. */
export type Intent =
  | { readonly kind: 'deposit'; readonly wallet: string; readonly amount: bigint }
  | {
      readonly kind: 'pay';
      readonly wallet: string;
      readonly to: string;
      readonly amount: bigint;
      readonly memo: string;
      /** Privately from base to base, which layout B alone can do; else on the rollup. */
      readonly isOnBase: boolean;
    }
  | { readonly kind: 'undelegate'; readonly wallet: string }
  | { readonly kind: 'withdraw'; readonly wallet: string; readonly amount: bigint }
  /** Makes the mint ready for private transfers from base to base. */
  | { readonly kind: 'prepare'; readonly wallet: string }
  /** A name that can be paid privately, in two transactions: its pool, and whom it pays. */
  | {
      readonly kind: 'handle';
      readonly wallet: string;
      readonly handle: string;
      readonly part: 'pool' | 'wallets';
    };

/** What the request also depends on. */
interface Terms {
  readonly mint: string;
  readonly layout: 'a' | 'b' | null;
  /** Whether the wallet's eATA is delegated as base shows it: then only a shuttle adds to it. */
  readonly isDelegated: boolean;
}

/** The request in the service's terms. */
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

/** Layout A has one form of deposits. On layout B the direct one makes the vault and the eATA. */
function depositForm(layout: Terms['layout'], isDelegated: boolean) {
  if (layout !== 'b') return {};
  return isDelegated ? { idempotent: true } : { idempotent: false, initVaultIfMissing: true };
}
