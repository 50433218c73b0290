import type { Address } from '@solana/kit';

/**
 * What the caller lets be paid, whatever is asked for later. Each is checked before anything is signed; what
 * is left out is not limited.
 */
export interface PaymentLimits {
  /** The most base units of any mint that one transaction may take from the wallet, with fees in tokens. */
  readonly maxAmount?: bigint | undefined;
  /** The most lamports that one transaction may take from the wallet: rents, fees and what it moves. */
  readonly maxLamports?: bigint | undefined;
  /** The mints that may be paid with. */
  readonly mints?: readonly (Address | string)[] | undefined;
  /** Wallets and stealth handles that transfers may go to. */
  readonly recipients?: readonly string[] | undefined;
  /** The validators that tokens may be delegated to, or that may learn who is paid. */
  readonly validators?: readonly (Address | string)[] | undefined;
  /** The programs that may be called. */
  readonly programs?: readonly (Address | string)[] | undefined;
}

/** The service that builds, and the ledgers that are asked whether it built what was asked for. */
export interface KitOptions {
  /** Where the service is. It is not trusted: it builds, and nothing else is asked of it. */
  readonly url: string | URL;
  /** JSON-RPC of the base ledger. What it says decides, so let it be a node you trust. */
  readonly base: string | URL;
  /**
   * JSON-RPC of the rollup, likewise. Without it nothing can be sent there or read from there, and no deposit
   * or private payment is signed: nobody tells whose rollup is meant.
   */
  readonly rollup?: string | URL | undefined;
  /** `localnet` (the default), `mainnet`, `devnet`, `mainnet-private` or `devnet-private`. */
  readonly cluster?: string | undefined;
  /**
   * The version of the programs: `a` is localnet's own, `b` that of the networks and of a localnet with
   * `--programs`. Default: `a` on localnet, `b` elsewhere. With the wrong one every transaction is refused.
   */
  readonly layout?: 'a' | 'b' | undefined;
  /** The sponsor of gasless transfers; without one they are refused. */
  readonly sponsor?: Address | string | undefined;
  readonly limits?: PaymentLimits | undefined;
  /**
   * Codes of cautions that are taken on, for every transaction: see the findings in docs/explain.md. A danger
   * is always refused.
   */
  readonly accept?: readonly string[] | undefined;
  /**
   * Whether the base node may be asked for the accounts of recipients, so that a receipt can say that a
   * private payment has reached them. Whoever runs that node then sees who is paid. Default: only on
   * localnet.
   */
  readonly watchRecipients?: boolean | undefined;
  /**
   * Asked before the wallet signs a text of the rollup that is not known as its login: of MagicBlock's form,
   * for this wallet and of now, which is signed unasked. Sign it by resolving to true. Left out, such a text
   * is refused with `CHALLENGE_REFUSED`.
   */
  readonly agreeToText?: ((text: string) => boolean | Promise<boolean>) | undefined;
  /** Replaces the platform's fetch for the service. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A localnet that is started in this process, in place of addresses. */
export interface EmbeddedOptions extends Pick<KitOptions, 'limits' | 'accept'> {
  readonly embedded: true;
}
