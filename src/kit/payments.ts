import type { Address, TransactionSigner } from '@solana/kit';
import type {
  DepositInput,
  ExplainTransactionOutput,
  InitializeMintInput,
  TransferInput,
  UndelegateInput,
  WithdrawInput,
} from '../client/generated.ts';
import type { Arrival } from '../payments/arrival/journey.ts';
import type { CheckedPayments } from './checked-payments.ts';

/** Limits for each payment, checked before signing. Unset limits do not apply. */
export interface PaymentLimits {
  /** Maximum base units of any mint that one transaction may take from the wallet, including token fees. */
  readonly maxAmount?: bigint | undefined;
  /** Maximum lamports that one transaction may take from the wallet, including rent and fees. */
  readonly maxLamports?: bigint | undefined;
  /** Allowed mints. */
  readonly mints?: readonly (Address | string)[] | undefined;
  /** Allowed recipients of transfers: wallets and stealth handles. */
  readonly recipients?: readonly string[] | undefined;
  /** Allowed validators, which receive delegated tokens and may learn the recipient. */
  readonly validators?: readonly (Address | string)[] | undefined;
  /** Allowed programs. */
  readonly programs?: readonly (Address | string)[] | undefined;
}

/** The service that builds transactions, and the ledgers that verify them. */
export interface KitOptions {
  /** URL of the service. It only builds transactions and is not trusted. */
  readonly url: string | URL;
  /** The API key, or an access token, of a service that authenticates its callers. */
  readonly apiKey?: string | undefined;
  /** JSON-RPC URL of the base ledger. Use a node you trust, because it verifies the transactions. */
  readonly base: string | URL;
  /**
   * JSON-RPC URL of the rollup, from a node you trust. Without it, rollup operations fail and the client
   * signs no deposit or private payment.
   */
  readonly rollup?: string | URL | undefined;
  /** `localnet` (the default), `mainnet`, `devnet`, `mainnet-private` or `devnet-private`. */
  readonly cluster?: string | undefined;
  /**
   * Version of the programs: `a` for localnet, `b` for the networks and for a localnet with `--programs`.
   * Default: `a` on localnet, `b` elsewhere. With the wrong version every transaction is rejected.
   */
  readonly layout?: 'a' | 'b' | undefined;
  /** The sponsor of gasless transfers. Without a sponsor they are rejected. */
  readonly sponsor?: Address | string | undefined;
  readonly limits?: PaymentLimits | undefined;
  /** Codes of cautions to accept in every transaction (see docs/explain.md). Dangers are always rejected. */
  readonly accept?: readonly string[] | undefined;
  /**
   * Whether to read recipients' accounts from the base node, which lets receipts confirm private payments.
   * The operator of that node then sees who is paid. Default: only on localnet.
   */
  readonly watchRecipients?: boolean | undefined;
  /**
   * Function that is called before the wallet signs a text from the rollup, unless it is a current MagicBlock
   * login for this wallet. Return true to sign it. By default the call fails with `CHALLENGE_REFUSED`.
   */
  readonly agreeToText?: ((text: string) => boolean | Promise<boolean>) | undefined;
  /** The fetch for requests to the service; default the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

type Arguments<Input> = Omit<Input, 'owner' | 'from' | 'payer' | 'cluster' | 'simulate'>;

/** The outcome of a payment. */
export interface Receipt {
  /** Base58 signature. */
  readonly signature: string;
  /** The ledger that the transaction was sent to. */
  readonly sendTo: 'base' | 'ephemeral';
  /**
   * `arrived`: the destination shows the payment. `moved nothing`: no tokens were moved. `still under way`:
   * neither was seen within 20 s of landing, or the landing itself was not seen. Check the balances before
   * you pay again.
   */
  readonly outcome: Arrival['outcome'];
  /** Describes the outcome and the cost, or how to check again. */
  readonly message: string;
  /** The explanation made before signing. */
  readonly explanation: ExplainTransactionOutput;
}

/** A balance request. Default address: the client's own wallet. */
interface BalanceRequest {
  readonly mint: string;
  readonly address?: string | undefined;
}

/**
 * Private payments from the client's wallet. The service builds each transaction. The client verifies it with
 * the caller's own nodes, signs it, sends it, and waits for the outcome.
 *
 * Payments fail with {@link TransactionRefused} if the service built something else, and with `PaymentsError`
 * if the service or a node rejects the request or does not answer.
 */
export interface Payments {
  /** The wallet that pays and signs. */
  readonly wallet: TransactionSigner;
  /** Deposits tokens into the vault of the mint, for the wallet's balance on the rollup. */
  deposit(args: Arguments<DepositInput>): Promise<Receipt>;
  /** Pays a recipient on the same or the other ledger. */
  transfer(args: Arguments<TransferInput>): Promise<Receipt>;
  /** Withdraws tokens to the wallet's token account on base. */
  withdraw(args: Arguments<WithdrawInput>): Promise<Receipt>;
  /** Asks the rollup to settle the wallet's tokens of a mint and return them to base. */
  undelegate(args: Arguments<UndelegateInput>): Promise<Receipt>;
  /** Sets up a mint for a validator. The wallet pays. */
  initializeMint(args: Arguments<InitializeMintInput>): Promise<Receipt>;
  /** Reads a base balance from the caller's own node, in base units. */
  balance(request: BalanceRequest): Promise<bigint>;
  /** Reads a rollup balance, in base units. Logs in with the wallet if the rollup requires it. */
  privateBalance(request: BalanceRequest): Promise<bigint>;
  /** Deletes the login, and closes the connections to the nodes. */
  close(): Promise<void>;
}

/** Binds the payments to the client's wallet. */
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
