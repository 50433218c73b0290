import type { TransactionSigner } from '@solana/kit';
import type {
  DepositInput,
  ExplainTransactionOutput,
  InitializeMintInput,
  TransferInput,
  UndelegateInput,
  WithdrawInput,
} from '../client/generated.ts';
import type { Arrival } from '../payments/arrival/arrival.ts';
import type { CheckedPayments } from './checked-payments.ts';

/** The arguments of an operation but for whom it is, and what the client decides. */
type Arguments<Input> = Omit<Input, 'owner' | 'from' | 'payer' | 'cluster' | 'simulate'>;

/** What became of a payment. */
export interface Receipt {
  /** base58. */
  readonly signature: string;
  /** The ledger it was sent to. */
  readonly sendTo: 'base' | 'ephemeral';
  /**
   * `arrived`: the destination shows the payment. `moved nothing`: no tokens were moved. `still under way`:
   * neither was seen within 20 s of its landing, or it was not seen to land; do not pay again before you have
   * looked at the balances.
   */
  readonly outcome: Arrival['outcome'];
  /** What was seen and what it cost, or how to look again. */
  readonly message: string;
  /** What was found out before it was signed. */
  readonly explanation: ExplainTransactionOutput;
}

/** A balance that is asked for: of the client's own wallet, unless another one is named. */
interface BalanceRequest {
  readonly mint: string;
  readonly address?: string | undefined;
}

/**
 * Private payments out of the client's wallet. Each is built by the service, checked at the caller's own
 * nodes against what was asked for, signed, sent to the ledger it is for, and waited for.
 *
 * They fail with {@link TransactionRefused} where the service built anything else, and with `PaymentsError`
 * where the service or a node refuses or does not answer.
 */
export interface Payments {
  /** The wallet that pays and signs. */
  readonly wallet: TransactionSigner;
  /** Moves tokens of the wallet into the vault of the mint, to its balance on the rollup. */
  deposit(args: Arguments<DepositInput>): Promise<Receipt>;
  /** Pays somebody, on either ledger or from one to the other. */
  transfer(args: Arguments<TransferInput>): Promise<Receipt>;
  /** Takes tokens of the wallet back to its token account on base. */
  withdraw(args: Arguments<WithdrawInput>): Promise<Receipt>;
  /** Asks the rollup to settle what the wallet has there of a mint, and to give it back. */
  undelegate(args: Arguments<UndelegateInput>): Promise<Receipt>;
  /** Makes a mint usable with a validator; the wallet pays. */
  initializeMint(args: Arguments<InitializeMintInput>): Promise<Receipt>;
  /** Base units on the base ledger, as the caller's own node tells. */
  balance(request: BalanceRequest): Promise<bigint>;
  /** Base units on the rollup. Logs in at the rollup with the wallet where that shows them to it alone. */
  privateBalance(request: BalanceRequest): Promise<bigint>;
  /** Forgets the login, and closes the connections to the nodes. */
  close(): Promise<void>;
}

/** The functions of a client, on top of what builds, checks and sends. */
export function createPayments(
  checked: CheckedPayments,
  wallet: TransactionSigner,
  close: () => Promise<void>,
): Payments {
  const owner = wallet.address as string;
  return {
    wallet,
    deposit: (args) => checked.pay('deposit', { ...args, owner }),
    transfer: (args) => checked.pay('transfer', { ...args, from: owner }),
    withdraw: (args) => checked.pay('withdraw', { ...args, owner }),
    undelegate: (args) => checked.pay('undelegate', { ...args, payer: owner }),
    initializeMint: (args) => checked.pay('initializeMint', { ...args, payer: owner }),
    balance: ({ mint, address = owner }) => checked.balance({ mint, address }),
    privateBalance: ({ mint, address = owner }) => checked.privateBalance({ mint, address }),
    close,
  };
}
