import type { Address } from '@solana/kit';

/**
 * Limits of all payments. Each is checked before anything is signed. Limits that are not set do not apply.
 */
export interface PaymentLimits {
  /** Maximum base units of any mint that one transaction may take from the wallet, including token fees. */
  readonly maxAmount?: bigint | undefined;
  /** Maximum lamports that one transaction may take from the wallet, including rent and fees. */
  readonly maxLamports?: bigint | undefined;
  /** The mints that may be paid with. */
  readonly mints?: readonly (Address | string)[] | undefined;
  /** Wallets and stealth handles that transfers may go to. */
  readonly recipients?: readonly string[] | undefined;
  /** The validators that tokens may be delegated to, and that may learn the recipient. */
  readonly validators?: readonly (Address | string)[] | undefined;
  /** The programs that may be called. */
  readonly programs?: readonly (Address | string)[] | undefined;
}

/** The service that builds transactions, and the ledgers that verify them. */
export interface KitOptions {
  /** URL of the service. It only builds transactions and is not trusted. */
  readonly url: string | URL;
  /** JSON-RPC of the base ledger. Use a node you trust, because it verifies the transactions. */
  readonly base: string | URL;
  /**
   * JSON-RPC of the rollup, from a node you trust. Without it the rollup cannot be used, and no deposit or
   * private payment is signed.
   */
  readonly rollup?: string | URL | undefined;
  /** `localnet` (the default), `mainnet`, `devnet`, `mainnet-private` or `devnet-private`. */
  readonly cluster?: string | undefined;
  /**
   * The version of the programs: `a` is localnet's own, `b` that of the networks and of a localnet with
   * `--programs`. Default: `a` on localnet, `b` elsewhere. With the wrong one every transaction is rejected.
   */
  readonly layout?: 'a' | 'b' | undefined;
  /** The sponsor of gasless transfers. Without one they are rejected. */
  readonly sponsor?: Address | string | undefined;
  readonly limits?: PaymentLimits | undefined;
  /**
   * Codes of cautions to accept in every transaction; docs/explain.md lists them. Dangers are always
   * rejected.
   */
  readonly accept?: readonly string[] | undefined;
  /**
   * Whether to read the accounts of recipients from the base node, so that receipts can confirm the arrival
   * of private payments. The operator of that node then sees who is paid. Default: only on localnet.
   */
  readonly watchRecipients?: boolean | undefined;
  /**
   * Called before the wallet signs a text of the rollup that is not its login in MagicBlock's form, for this
   * wallet and the current time. Return true to sign it. By default such a text fails with
   * `CHALLENGE_REFUSED`.
   */
  readonly agreeToText?: ((text: string) => boolean | Promise<boolean>) | undefined;
  /** Replaces the platform's fetch for the service. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Starts a localnet in this process instead of using addresses. */
export interface EmbeddedOptions extends Pick<KitOptions, 'limits' | 'accept'> {
  readonly embedded: true;
}
