// Written by `npm run client` from the schemas of the operations: change those, not this file.

/** A whole number up to 2^64 - 1: a bigint, a safe integer, or a decimal string. */
export type WholeNumber = bigint | number | string;

/** A REST operation: its method and path, and how the client calls it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whether the bearer token is sent. */
  readonly usesToken: boolean;
  /** Whether each call gets an `Idempotency-Key`. */
  readonly isKeyed: boolean;
  /** Whether the request may be repeated without a key. */
  readonly isRead: boolean;
  /** The members that every answer has. */
  readonly required: readonly string[];
  /**
   * Paths of the decimal strings in the response. `*` stands for each item of a list. After a name, `?`
   * means that the member may be absent, and `|null` that it may be null.
   */
  readonly decimals: readonly string[];
}

/** The codes that the service fails with. */
// oxfmt-ignore
export const SERVICE_CODES = [
  'CONFIG_INVALID', 'PORT_IN_USE', 'INVALID_ARGUMENTS', 'INVALID_ADDRESS', 'INVALID_OWNER', 'INVALID_AMOUNT',
  'INVALID_TRANSACTION', 'CLUSTER_NOT_ALLOWED', 'MINT_NOT_FOUND', 'UNSUPPORTED_TOKEN_PROGRAM',
  'MINT_NOT_SUPPORTED', 'MINT_FACTS_WRONG', 'MINT_FACTS_DISPUTED', 'ACCOUNT_UNREADABLE',
  'EATA_NOT_INITIALIZED', 'EATA_ALREADY_DELEGATED', 'EATA_NOT_DELEGATED', 'EATA_DELEGATED_ELSEWHERE',
  'EATA_SETTLING', 'EATA_BALANCE_TOO_LOW', 'VALIDATOR_MISMATCH', 'MINT_ALREADY_INITIALIZED',
  'MISSING_AUTH_TOKEN', 'TRANSFER_QUEUE_NOT_INITIALIZED', 'VAULT_NOT_INITIALIZED', 'TRANSACTION_EXPIRED',
  'TRANSACTION_FAILED', 'TRANSACTION_TOO_LARGE', 'TRANSACTION_BUILD_ERROR', 'UNSUPPORTED_TRANSFER_ROUTE',
  'INVALID_PRIVATE_TRANSFER', 'INVALID_PLATFORM_FEE', 'INVALID_GASLESS_TRANSFER_MINT',
  'INVALID_GASLESS_TRANSFER_AMOUNT', 'SPONSOR_UNAVAILABLE', 'INVALID_STEALTH_HANDLE',
  'INVALID_STEALTH_TRANSFER', 'STEALTH_HANDLE_TAKEN', 'STEALTH_POOL_NOT_FOUND', 'TOKEN_ACCOUNT_NOT_FOUND',
  'EATA_VALIDATOR_MISMATCH', 'UNSUPPORTED_ON_CLUSTER', 'VALIDATOR_UNRESOLVED', 'VALIDATOR_DISPUTED',
  'AUTH_UNAVAILABLE', 'AUTH_REFUSED', 'READER_NOT_ALLOWED', 'POLICY_REFUSED', 'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_INVALID', 'UPSTREAM_REJECTED', 'UPSTREAM_RATE_LIMITED', 'UPSTREAM_TIMEOUT', 'SERVICE_BUSY',
  'OPERATION_TIMEOUT', 'LEDGER_FOLDER_IN_USE', 'LEDGER_FOLDER_UNREADABLE', 'LEDGER_DAMAGED', 'FAUCET_LIMIT',
  'LEDGER_FULL', 'LEDGER_STOPPED', 'PROVISION_INVALID', 'UNSUPPORTED_MINT_EXTENSION',
  'TOKEN_ACCOUNT_OWNER_MISMATCH', 'ENGINE_UNAVAILABLE', 'PROGRAM_BINARIES_MISSING', 'FOREIGN_HOST',
  'FOREIGN_ORIGIN', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE',
  'BODY_NOT_JSON', 'BODY_TOO_DEEP', 'MEMBER_REPEATED', 'CREDENTIALS_MISSING', 'CREDENTIALS_MALFORMED',
  'CREDENTIALS_INVALID', 'CREDENTIALS_UNCHECKED', 'INSUFFICIENT_SCOPE', 'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'RATE_LIMITED', 'INTERNAL_ERROR'
] as const;

/** Arguments of operations that build one transaction. */
export interface BuildInput extends ClusterInput {
  /**
   * Also simulate the transaction on the current ledger and report balance changes, compute units, error and
   * log. Default: false.
   */
  readonly simulate?: boolean | undefined;
}

/** Arguments of all operations. */
export interface ClusterInput {
  /** The cluster to work on, as the service names it. Default: the first of the service. */
  readonly cluster?: string | undefined;
}

/** An unsigned transaction, and what its builder reports. */
export interface BuiltTransaction extends UnsignedTransaction, WithNotes {
  /** What to fix before sending; absent if there is nothing to fix. */
  readonly warnings?: readonly BuildWarning[];
  /** The result of a simulation on the current ledger; present if simulate is true. */
  readonly simulation?: Simulation;
}

/** An unsigned transaction. */
export interface UnsignedTransaction {
  /** Form of the transaction. */
  readonly version: 'legacy' | 'v0' | 'v1';
  /**
   * The unsigned transaction, base64. Every signature is 64 zero bytes, except the signature of a sponsor
   * that pays for it.
   */
  readonly transactionBase64: string;
  /** Where to send the signed transaction: the base ledger or the rollup. */
  readonly sendTo: 'base' | 'ephemeral';
  /** The blockhash it was built on, base58. */
  readonly recentBlockhash: string;
  /** The last block height at which the network accepts the transaction. */
  readonly lastValidBlockHeight: number;
  /** Number of instructions in the transaction. */
  readonly instructionCount: number;
  /** Addresses that must sign, in the order of the signatures; the first pays the fee. */
  readonly requiredSigners: readonly string[];
}

export interface WithNotes {
  /** Additional information in sentences, such as amounts in whole tokens. Absent if there is none. */
  readonly notes?: readonly string[];
}

export interface WithEndpoint {
  /**
   * The rollup's RPC endpoint to send the signed transaction to. Absent when it goes to the base ledger, and
   * when the operator does not show the endpoint.
   */
  readonly sendRpcEndpoint?: string;
}

/** A problem to fix before sending. */
export interface BuildWarning {
  /** Stable name of the condition. */
  readonly code: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
}

/** The result of a simulation. */
export interface Simulation {
  /** The result of sending it now; unavailable if the ledger could not simulate it. */
  readonly status: 'succeeds' | 'fails' | 'unavailable';
  /** Why it would fail, or why it could not be simulated. */
  readonly error?: {
    /** Solana's name of the error. */
    readonly name: string;
    /** The error in plain words. */
    readonly message: string;
    /** Index of the instruction that fails. */
    readonly instruction?: number;
    /** The program's own error code. */
    readonly code?: number;
    /** The program that fails. */
    readonly program?: string;
  };
  /** Compute units used. */
  readonly computeUnits?: number;
  /** Lamports and tokens that change; the network fee is not always included. */
  readonly balanceChanges: readonly {
    /** The account whose balance changes. */
    readonly address: string;
    /** What changes. */
    readonly asset: 'lamports' | 'tokens';
    /** The mint of the tokens. */
    readonly mint?: string;
    /** The owner of the tokens. */
    readonly owner?: string;
    /** Lamports or base units before, as a decimal string. */
    readonly before: bigint;
    /** Lamports or base units afterwards, as a decimal string. */
    readonly after: bigint;
    /** The difference; negative if the balance decreases. */
    readonly change: bigint;
  }[];
  /** The programs' log. */
  readonly logs: readonly string[];
  /** Whether the log was truncated. */
  readonly logsTruncated: boolean;
}

/** A change of the tokens of one owner. */
export interface TokenChange {
  /** The owner of the tokens; null if the bytes do not show it. */
  readonly owner: string | null;
  /** The token account; null if there is none, or several. */
  readonly account: string | null;
  /** The mint; null if the bytes do not show it. */
  readonly mint: string | null;
  /** The common symbol of the mint. */
  readonly symbol: string | null;
  /** Base ledger, or private balance on the rollup. */
  readonly location: 'base' | 'ephemeral';
  /**
   * vault: backs private balances; sealed: the recipient is encrypted; queue: is paid out later; eata: in the
   * ephemeral token account on base, and not on the rollup.
   */
  readonly held: 'vault' | 'sealed' | 'queue' | 'eata' | null;
  /** Base units, negative when they leave; null when only the chain knows. */
  readonly change: bigint | null;
  /** The same in whole tokens; null if the decimals are unknown. */
  readonly figure: string | null;
  /**
   * The amount that wallets show instead, at the node's current time, if the mint multiplies amounts or
   * accrues interest; null otherwise. Limits are in base units.
   */
  readonly uiFigure: string | null;
}

export interface DepositInput extends BuildInput {
  /** The wallet whose tokens are deposited. It signs and pays. Base58, 32 bytes. */
  readonly owner: string;
  /**
   * How much to deposit, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to
   * 18446744073709551615.
   */
  readonly amount: WholeNumber;
  /** The mint of the tokens. Default: the cluster's USDC. Base58, 32 bytes. */
  readonly mint?: string | undefined;
  /** The validator to delegate to. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
  /** Create the permission account that lets only the owner read the deposit on the rollup. Default: true. */
  readonly private?: boolean | undefined;
  /** Create the owner's ephemeral token account. Default: true. */
  readonly initIfMissing?: boolean | undefined;
  /**
   * Create the owner's token account (ATA). Default: false. Without effect outside localnet when idempotent
   * is false.
   */
  readonly initAtasIfMissing?: boolean | undefined;
  /**
   * Create the vault of the mint and its token account. Default: on localnet true if the vault does not
   * exist. Elsewhere false; if idempotent is false, the value of initIfMissing.
   */
  readonly initVaultIfMissing?: boolean | undefined;
  /**
   * True deposits through a shuttle, which works even while the ephemeral token account is delegated; false
   * deposits directly and then delegates. On localnet every deposit is direct, so this has no effect.
   * Default: true.
   */
  readonly idempotent?: boolean | undefined;
}

export interface DepositOutput extends BuiltTransaction {
  readonly kind: 'deposit';
  /** The validator the ephemeral token account is delegated to. */
  readonly validator: string;
}

export interface TransferInput extends BuildInput {
  /** The wallet that pays. It signs. Base58, 32 bytes. */
  readonly from: string;
  /**
   * The wallet to pay, or a stealth handle (1 to 255 UTF-8 bytes, compared byte by byte, that do not look
   * like an address) for a private transfer from base to base. Any text that is not an address is treated as
   * a handle.
   */
  readonly to: string;
  /** The mint of the tokens. Base58, 32 bytes. */
  readonly mint: string;
  /**
   * How much, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to
   * 18446744073709551615. 0 is allowed only from base to the rollup.
   */
  readonly amount: WholeNumber;
  /** Whether observers can see who is paid. Default: private. */
  readonly visibility?: 'private' | 'public' | undefined;
  /** Where the sender's tokens are. Default: base. */
  readonly fromBalance?: 'base' | 'ephemeral' | undefined;
  /** Where the recipient receives the tokens. Default: base. */
  readonly toBalance?: 'base' | 'ephemeral' | undefined;
  /** The validator whose rollup carries the transfer. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
  /** From base to the rollup: create and delegate the recipient's accounts. Default: false. */
  readonly initIfMissing?: boolean | undefined;
  /** Create the sender's token account (ATA). Default: false. */
  readonly initAtasIfMissing?: boolean | undefined;
  /**
   * Create the vault of the mint and, for private transfers that end on base, the transfer queue. Default:
   * false.
   */
  readonly initVaultIfMissing?: boolean | undefined;
  /**
   * Public, from base to base: create the recipient's token account (ATA) at the sender's expense. Default:
   * false.
   */
  readonly initRecipientAta?: boolean | undefined;
  /**
   * A note, in its own memo instruction. Anyone who can read the transaction can read it: on the base ledger,
   * everyone.
   */
  readonly memo?: string | undefined;
  /** Private, to base: minimum delay of the payout, in milliseconds. Default: 0. */
  readonly minDelayMs?: WholeNumber | undefined;
  /** Private, to base: maximum delay of the payout, in milliseconds, up to 600000. Default: minDelayMs. */
  readonly maxDelayMs?: WholeNumber | undefined;
  /** Private, to base: number of parts to split the payout into, 1 to 15. Default: 1. */
  readonly split?: number | undefined;
  /** Private, to base: your own reference, a whole number up to 18446744073709551615. */
  readonly clientRefId?: WholeNumber | undefined;
  /**
   * Whether the recipient gets the whole amount and fees are added. A fee that a Token-2022 mint withholds is
   * always deducted. Default: true.
   */
  readonly exactOut?: boolean | undefined;
  /** The service's sponsor pays the lamports for a fee of 0.2 of the stablecoin. Default: false. */
  readonly gasless?: boolean | undefined;
  /** Fee for platformFeeAccount, in ten thousandths of the amount, 0 to 10000. From base only. Default: 0. */
  readonly platformFeeBps?: number | undefined;
  /** The token account the platform fee goes to. Base58, 32 bytes. */
  readonly platformFeeAccount?: string | undefined;
  readonly transactionVersion?: '1' | undefined;
  /** Build the legacy form even if the v0 form is smaller. Default: false. */
  readonly legacy?: boolean | undefined;
}

export interface TransferOutput extends BuiltTransaction, WithEndpoint {
  readonly kind: 'transfer';
  /** The validator whose rollup carries the transfer; absent if none was needed or named. */
  readonly validator?: string;
  /** Where the sender's tokens come from. */
  readonly from: 'base' | 'ephemeral';
  /** The cost of the transfer in lamports and in tokens, as decimal strings. */
  readonly fees: {
    /**
     * Lamports the program charges for a payout on the base ledger, as the hosted API counts them: without
     * rent, the network fee and the 500000 of a shuttle. Explain the transaction to see all costs.
     */
    readonly lamports: bigint;
    /** All fees in tokens, in the mint's base units. */
    readonly tokens: bigint;
  };
}

export interface WithdrawInput extends BuildInput {
  /** The wallet whose tokens are withdrawn. It receives them, signs and pays. Base58, 32 bytes. */
  readonly owner: string;
  /** The mint of the tokens. Base58, 32 bytes. */
  readonly mint: string;
  /**
   * How much to withdraw, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to
   * 18446744073709551615.
   */
  readonly amount: WholeNumber;
  /**
   * The validator the ephemeral token account is delegated to. Default: the cluster's own. Base58, 32 bytes.
   */
  readonly validator?: string | undefined;
  /**
   * Create the owner's ephemeral token account. Default: true. Without effect on localnet and when idempotent
   * is false.
   */
  readonly initIfMissing?: boolean | undefined;
  /** Create the owner's token account (ATA), which receives the tokens. Default: false. */
  readonly initAtasIfMissing?: boolean | undefined;
  /**
   * Accepted for compatibility with the hosted API: an integer from 0 to 255. It does not affect the
   * transaction.
   */
  readonly escrowIndex?: number | undefined;
  /**
   * True withdraws from the rollup through a shuttle. False withdraws directly from the vault, which requires
   * an ephemeral token account that is not delegated. On localnet every withdrawal is directly from the
   * vault. If false, a withdrawal of wrapped SOL closes the token account, and everything in it becomes plain
   * SOL. Default: true.
   */
  readonly idempotent?: boolean | undefined;
}

export interface WithdrawOutput extends BuiltTransaction {
  readonly kind: 'withdraw';
  /** The validator the withdrawal is for: the requested one, or the cluster's own. */
  readonly validator: string;
}

export interface UndelegateInput extends BuildInput {
  /** The owner of the ephemeral token account. It signs. Base58, 32 bytes. */
  readonly payer: string;
  /** The mint of the ephemeral token account. Base58, 32 bytes. */
  readonly mint: string;
}

export interface UndelegateOutput extends BuiltTransaction, WithEndpoint {
  readonly kind: 'undelegateEphemeralAta';
}

export interface RecoverShuttlesInput extends ClusterInput {
  /** The wallet that pays the fees. It signs; anyone can pay. Base58, 32 bytes. */
  readonly payer: string;
  /**
   * Search for the shuttles of this wallet. Default: all wallets. Shuttles of other owners without a token
   * account are listed but not recovered, because the payer would pay for that account. Base58, 32 bytes.
   */
  readonly owner?: string | undefined;
  /** Search for the shuttles of this mint. Default: any. Naming it narrows the search. Base58, 32 bytes. */
  readonly mint?: string | undefined;
  /**
   * The shuttles to recover, 1 to 20. Together with mint they replace the search, which an RPC node may
   * reject. Default: the shuttles that the search finds.
   */
  readonly shuttles?: readonly string[] | undefined;
}

export interface RecoverShuttlesOutput extends WithNotes {
  readonly kind: 'recoverShuttles';
  /** Every shuttle that was found with something in it, or that is delegated. */
  readonly shuttles: readonly {
    /** The address of its metadata account, which identifies the shuttle. */
    readonly shuttle: string;
    /** The wallet that owns its tokens and receives them. */
    readonly owner: string;
    /** The mint of its tokens. */
    readonly mint: string;
    /**
     * Base units in the shuttle on the base ledger, as a decimal string. If it is delegated, only its rollup
     * has the current amount.
     */
    readonly amount: bigint;
    /** The account that receives its rent when it is closed. */
    readonly payer: string;
    /** The validator it is delegated to; absent if it is not delegated. */
    readonly delegatedTo?: string;
    /** Whether its tokens can be recovered now. */
    readonly recoverable: boolean;
    /** Why not; absent if they can. */
    readonly why?: string;
  }[];
  /**
   * The unsigned transactions, each to be signed by the payer and sent to the base ledger, in any order.
   * Empty when nothing can be recovered now.
   */
  readonly transactions: readonly (UnsignedTransaction & {
    /** The shuttles it empties and closes. */
    readonly shuttles: readonly string[];
  })[];
  /**
   * Recoverable shuttles that are in none of the transactions, and shuttles that were not examined. Run this
   * again once these transactions have landed.
   */
  readonly left: number;
  /** What to fix before sending; absent if there is nothing to fix. */
  readonly warnings?: readonly BuildWarning[];
}

export interface GetBalanceInput extends ClusterInput {
  /** The wallet whose balance is read. Base58, 32 bytes. */
  readonly address: string;
  /** The mint of the tokens. Base58, 32 bytes. */
  readonly mint: string;
}

export interface GetBalanceOutput extends WithNotes {
  /** The requested wallet. */
  readonly address: string;
  /** The requested mint. */
  readonly mint: string;
  /** The wallet's associated token account of the mint. */
  readonly ata: string;
  readonly location: 'base';
  /** Base units in the token account, as a decimal string; "0" if the account does not exist. */
  readonly balance: bigint;
}

export interface GetPrivateBalanceInput extends ClusterInput {
  /** The wallet whose balance is read. Base58, 32 bytes. */
  readonly address: string;
  /** The mint of the tokens. Base58, 32 bytes. */
  readonly mint: string;
}

export interface GetPrivateBalanceOutput extends WithNotes {
  /** The requested wallet. */
  readonly address: string;
  /** The requested mint. */
  readonly mint: string;
  /** The wallet's token account of the mint, which the rollup shows at the same address. */
  readonly ata: string;
  readonly location: 'ephemeral';
  /** Base units, as a decimal string; "0" if the wallet has nothing delegated to the rollup. */
  readonly balance: bigint;
}

export interface SwapQuoteInput extends ClusterInput {
  /** The mint to pay with. Base58, 32 bytes. */
  readonly inputMint: string;
  /** The mint to receive. Base58, 32 bytes. */
  readonly outputMint: string;
  /** Base units of the fixed side (swapMode). */
  readonly amount: WholeNumber;
  /** Accepted slippage, basis points. Default: 50. */
  readonly slippageBps?: number | undefined;
  /** Whether amount is the input or the output. Default: ExactIn. */
  readonly swapMode?: 'ExactIn' | 'ExactOut' | undefined;
  /** Use only these exchanges, separated by commas. */
  readonly dexes?: string | undefined;
  /** Do not use these exchanges. */
  readonly excludeDexes?: string | undefined;
  /** Use only liquid intermediate tokens. */
  readonly restrictIntermediateTokens?: boolean | undefined;
  /** Use only one exchange. */
  readonly onlyDirectRoutes?: boolean | undefined;
  /** Quote for a legacy transaction. */
  readonly asLegacyTransaction?: boolean | undefined;
  /** The upstream chooses the slippage. */
  readonly dynamicSlippage?: boolean | undefined;
  /** Quote for a Jito bundle. */
  readonly forJitoBundle?: boolean | undefined;
  /** Allow more intermediate tokens. */
  readonly supportDynamicIntermediateTokens?: boolean | undefined;
  /** The integrator's fee, basis points. */
  readonly platformFeeBps?: number | undefined;
  /** Maximum accounts in the swap. */
  readonly maxAccounts?: number | undefined;
  /** Version of the swap program's instruction. */
  readonly instructionVersion?: 'V1' | 'V2' | undefined;
}

export interface SwapQuoteOutput {
  /** Mint to pay with. */
  readonly inputMint: string;
  /** Base units to pay. */
  readonly inAmount: string;
  /** Mint to receive. */
  readonly outputMint: string;
  /** Base units to receive. */
  readonly outAmount: string;
  /** Minimum output (ExactIn) or maximum input (ExactOut). */
  readonly otherAmountThreshold: string;
  /** Fixed side. */
  readonly swapMode: 'ExactIn' | 'ExactOut';
  /** Basis points. */
  readonly slippageBps: number;
  /** Exchanges. */
  readonly routePlan: readonly {}[];
}

export interface SwapInput extends ClusterInput {
  /** The wallet that swaps. It signs. Base58, 32 bytes. */
  readonly userPublicKey: string;
  /** The whole result of spl.swapQuote, unchanged. */
  readonly quoteResponse: {};
  /** Wallet that pays fees and rent, and signs too. Default: the user. Base58, 32 bytes. */
  readonly payer?: string | undefined;
  /** Use plain SOL for the mint of wrapped SOL. Default: true. */
  readonly wrapAndUnwrapSol?: boolean | undefined;
  /** Use the swap program's own intermediate accounts. */
  readonly useSharedAccounts?: boolean | undefined;
  /** Token account for the integrator's fee. Base58, 32 bytes. */
  readonly feeAccount?: string | undefined;
  /** Account that marks the swap. Base58, 32 bytes. */
  readonly trackingAccount?: string | undefined;
  /** Priority fee. Default: the upstream's, up to 5000000 lamports. */
  readonly prioritizationFeeLamports?:
    | number
    | {
        /** A fee chosen by level. */
        readonly priorityLevelWithMaxLamports?:
          | {
              /** The level. */
              readonly priorityLevel: 'medium' | 'high' | 'veryHigh';
              /** Maximum lamports. */
              readonly maxLamports: number;
              /** Use the level of the whole network. */
              readonly global?: boolean | undefined;
            }
          | undefined;
        /** The tip for Jito. */
        readonly jitoTipLamports?: number | undefined;
      }
    | undefined;
  /** Build a legacy transaction. */
  readonly asLegacyTransaction?: boolean | undefined;
  /** Token account that receives the output instead of the user's. Base58, 32 bytes. */
  readonly destinationTokenAccount?: string | undefined;
  /** Wallet that receives the SOL instead of the user. Base58, 32 bytes. */
  readonly nativeDestinationAccount?: string | undefined;
  /** Set the compute unit limit by a simulation. */
  readonly dynamicComputeUnitLimit?: boolean | undefined;
  /** Do not check which accounts exist. */
  readonly skipUserAccountsRpcCalls?: boolean | undefined;
  /** Accepted for compatibility. The quote limits the slippage. */
  readonly dynamicSlippage?: boolean | undefined;
  /** Price of a compute unit. */
  readonly computeUnitPriceMicroLamports?: number | undefined;
  /** Slots until the transaction expires. */
  readonly blockhashSlotsToExpiry?: number | undefined;
  /** Share of a better price that the integrator takes. */
  readonly positiveSlippage?:
    | {
        /** The share, in basis points. */
        readonly bps: number;
        /** Token account that receives it. Base58, 32 bytes. */
        readonly feeAccount?: string | undefined;
      }
    | undefined;
  /** Whether observers see who receives the output. Default: public. */
  readonly visibility?: 'public' | 'private' | undefined;
  /** Private: the recipient. Base58, 32 bytes. */
  readonly destination?: string | undefined;
  /** Private: minimum delay of the payout, in milliseconds. */
  readonly minDelayMs?: WholeNumber | undefined;
  /** Private: maximum delay of the payout, up to 600000. */
  readonly maxDelayMs?: WholeNumber | undefined;
  /** Private: number of parts of the payout. */
  readonly split?: number | undefined;
  /** Private: your own reference. */
  readonly clientRefId?: WholeNumber | undefined;
  /** Private: the validator that pays out. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
}

export interface SwapOutput extends WithNotes {
  readonly kind: 'swap';
  /** The transaction, base64, without the signatures of requiredSigners. */
  readonly swapTransaction: string;
  readonly sendTo: 'base';
  /** Wallets that must sign. */
  readonly requiredSigners: readonly string[];
  /** The last block height at which it can land, as reported by the upstream. */
  readonly lastValidBlockHeight?: number;
  /** The priority fee. */
  readonly prioritizationFeeLamports?: number;
  /** The payout of a private swap. */
  readonly privateTransfer?: {
    /** Token account that the swap pays. */
    readonly stashAta: string;
    /** The scheduled payout. */
    readonly hydraCrankPda: string;
    /** Id of the payout. */
    readonly shuttleId: number;
  };
  /** What to fix before sending; absent if there is nothing to fix. */
  readonly warnings?: readonly BuildWarning[];
}

export interface InitializeMintInput extends BuildInput {
  /** The wallet that pays for the accounts. It signs. May also be named owner. Base58, 32 bytes. */
  readonly payer: string;
  /** The mint to make ready. Base58, 32 bytes. */
  readonly mint: string;
  /** The validator to make it ready for. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
}

export interface InitializeMintOutput extends BuiltTransaction {
  readonly kind: 'initializeMint';
  /** The validator the mint is made ready for. */
  readonly validator: string;
  /** The transfer queue of the mint on that validator. */
  readonly transferQueue: string;
  /** The program's account that pays the rents of shuttles. */
  readonly rentPda: string;
}

export interface IsMintInitializedInput extends ClusterInput {
  /** The mint to check. Base58, 32 bytes. */
  readonly mint: string;
  /** The validator to check. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
}

export interface IsMintInitializedOutput extends WithNotes {
  /** The requested mint. */
  readonly mint: string;
  /** The requested validator. */
  readonly validator: string;
  /** The transfer queue of the mint on that validator. */
  readonly transferQueue: string;
  /** Whether the transfer queue exists and is delegated, so that it accepts transfers. */
  readonly initialized: boolean;
  /**
   * Whether a task pays out the queue, as reported by the rollup. running: the rollup runs it; failing: its
   * last run failed and the rollup retries it; scheduled: a task exists, but no account shows whether it
   * still runs; none: private payments wait until you call spl.ensureTransferQueueCrank; unknown: the rollup
   * cannot tell. Absent without a delegated queue.
   */
  readonly crank?: 'running' | 'failing' | 'scheduled' | 'none' | 'unknown';
}

export interface CreateLookupTableInput extends ClusterInput {
  /** The wallet that pays for the table. It signs. Base58, 32 bytes. */
  readonly payer: string;
  /** The wallet that may change the table. It signs. Default: payer. Base58, 32 bytes. */
  readonly authority?: string | undefined;
  /** The mints that transfers use, 1 to 8. Default: SOL, the cluster's USDC, and USDT on mainnet. */
  readonly mints?: readonly string[] | undefined;
  /** The validators that transfers go through, 1 to 8. Default: the cluster's own. */
  readonly validators?: readonly string[] | undefined;
  /**
   * Also freeze the table: no one can then change it, or close it to recover its lamports. Default: false.
   */
  readonly freeze?: boolean | undefined;
}

export interface CreateLookupTableOutput extends WithNotes {
  readonly kind: 'createLookupTable';
  /** The address of the table. */
  readonly lookupTable: string;
  /** The addresses that the table will contain, in this order. */
  readonly addresses: readonly string[];
  /**
   * The unsigned transactions. Sign and send them to the base ledger in this order, each after the previous
   * one is confirmed.
   */
  readonly transactions: readonly UnsignedTransaction[];
  /**
   * The environment variable of this service that names the table for private transfers; absent if the
   * cluster has none.
   */
  readonly setting?: string;
  /** What to fix before sending; absent if there is nothing to fix. */
  readonly warnings?: readonly BuildWarning[];
}

export interface EnsureTransferQueueCrankInput extends ClusterInput {
  /** The mint of the queue. Base58, 32 bytes. */
  readonly mint: string;
  /** The validator of the queue. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
}

export interface EnsureTransferQueueCrankOutput {
  /** The mint of the queue. */
  readonly mint: string;
  /** The validator of the queue. */
  readonly validator: string;
  /** The transfer queue. */
  readonly transferQueue: string;
  /** Signature of the transaction that was sent, base58. */
  readonly crankSignature: string;
}

export interface CreateStealthPoolInput extends BuildInput {
  /** The wallet that pays for the pool. It signs. Base58, 32 bytes. */
  readonly payer: string;
  /** The wallet that may change the destinations of the pool. It signs. Base58, 32 bytes. */
  readonly authority: string;
  /**
   * The handle that is paid: 1 to 255 UTF-8 bytes, compared byte by byte, that do not look like an address.
   */
  readonly handle: string;
  /** The wallets that receive payments to the handle, 1 to 10. */
  readonly destinations: readonly string[];
  /** Whether the parts of one payment may go to different wallets. Default: false. */
  readonly splitAcrossKeys?: boolean | undefined;
  /** The validator to delegate the pool to. Default: the cluster's own. Base58, 32 bytes. */
  readonly validator?: string | undefined;
}

export interface CreateStealthPoolOutput extends BuiltTransaction, WithEndpoint {
  readonly kind: 'stealthPool';
  /** The validator the pool is delegated to. */
  readonly validator: string;
  /** The address of the pool. */
  readonly stealthPool: string;
  /**
   * The transaction that creates and delegates the pool on the base ledger. Send it first, and the other one
   * after it is confirmed.
   */
  readonly setupTransaction: UnsignedTransaction & {
    readonly kind: 'stealthPool';
    /** The validator the pool is delegated to. */
    readonly validator: string;
  };
}

export interface GetStealthPoolInput extends ClusterInput {
  /** The handle to look up: 1 to 255 UTF-8 bytes, compared byte by byte, that do not look like an address. */
  readonly handle: string;
}

export interface GetStealthPoolOutput {
  /** The address of the pool of the handle. */
  readonly stealthPool: string;
  /** Whether the pool has been created on the base ledger. */
  readonly exists: boolean;
}

export interface ExplainTransactionInput extends ClusterInput {
  /** The transaction as base64: legacy, v0 or v1; unsigned, partly or fully signed. */
  readonly transactionBase64: string;
  /**
   * The ledger it is for: the sendTo of the built transaction. Default: the rollup when it calls the Magic
   * program or the request is for it, else the base ledger.
   */
  readonly sendTo?: 'base' | 'ephemeral' | undefined;
  /** The request the transaction was built from. Every detail is compared with it. */
  readonly request?:
    | {
        /** The operation it should have been built by. */
        readonly operation:
          | 'deposit'
          | 'withdraw'
          | 'transfer'
          | 'initializeMint'
          | 'undelegate'
          | 'createStealthPool'
          | 'recoverShuttles'
          | 'createLookupTable';
        /** The arguments passed to the operation. */
        readonly arguments: Readonly<Record<string, unknown>>;
        /** The blockhash that the builder reported. It is also compared. */
        readonly recentBlockhash?: string | undefined;
      }
    | undefined;
  /** The signer's own wallet. Its outgoing tokens and lamports are listed first. Base58, 32 bytes. */
  readonly wallet?: string | undefined;
  /**
   * Use only the bytes and read no ledger. Nothing is confirmed then, and the verdict is never clear.
   * Default: false.
   */
  readonly offline?: boolean | undefined;
}

export interface ExplainTransactionOutput {
  /**
   * danger: do not sign unless you know why; caution: look at the findings; clear: everything in it is known,
   * the ledger confirms the owners, and a simulation matches the instructions. Never clear without a ledger.
   */
  readonly verdict: 'danger' | 'caution' | 'clear';
  /** Form of the transaction. */
  readonly version: 'legacy' | 'v0' | 'v1';
  /** The config of a version 1 transaction; absent for other versions. */
  readonly config?: {
    /** The total priority fee, in lamports. */
    readonly priorityFeeLamports: string | null;
    /** Compute unit limit; null means 0. */
    readonly computeUnitLimit: number | null;
    /** Limit of loaded account data, in bytes; null means 0. */
    readonly loadedAccountsDataSizeLimit: number | null;
    /** Heap size, in bytes; null means the default of 32,768. */
    readonly heapSize: number | null;
  };
  /** Bytes. */
  readonly size: number;
  /** The cluster it was explained for. */
  readonly cluster: string;
  /** The ledger it was explained for. */
  readonly sendTo: 'base' | 'ephemeral';
  /** The blockhash it is built on, base58. */
  readonly recentBlockhash: string;
  /** The account that pays the network fee. */
  readonly feePayer: string;
  /** The required signers, in the order of the signatures. */
  readonly signers: readonly {
    /** The required signer. */
    readonly address: string;
    /** The result of verifying it against the message. */
    readonly signature: 'valid' | 'missing' | 'wrong';
  }[];
  /** Whether every signature is present and valid. */
  readonly fullySigned: boolean;
  /** Lookup tables that accounts are named through. */
  readonly lookupTables: readonly {
    /** The table. */
    readonly address: string;
    /** Whether its contents are known. */
    readonly read: boolean;
  }[];
  /** The effects on the wallet in the request; absent without one. */
  readonly wallet?: {
    /** The wallet. */
    readonly address: string;
    /** Whether it signs. */
    readonly signs: boolean;
    /** Its tokens that leave or enter it. */
    readonly tokens: readonly TokenChange[];
    /**
     * The minimum change of its lamports, with rent and network fee at their maximum: negative if they leave.
     * Lamports that its signature takes out of other accounts count as leaving it. SOL that it wraps or
     * unwraps stays its own, and payments of wrapped SOL count as tokens. Null if it pays a rent that was not
     * read.
     */
    readonly lamportsMin: bigint | null;
  };
  /** Every instruction. */
  readonly instructions: readonly {
    /** Position in the transaction, from 0. */
    readonly index: number;
    /** The program that is called. */
    readonly programId: string;
    /** The name of the program; "unknown" if payments do not use it. */
    readonly program: string;
    /** Stable name of the instruction; "unknown" if it is not recognized. */
    readonly action: string;
    /** Whether program and instruction are known. */
    readonly known: boolean;
    /** What it does, in words. */
    readonly text: string;
    /** The accounts in order. */
    readonly accounts: readonly {
      /** The role of the account in the instruction. */
      readonly role: string;
      /** The account; "table[index]" if its lookup table could not be read. */
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    }[];
    /** The fields of the instruction data. */
    readonly fields: readonly {
      /** Name of the field. */
      readonly name: string;
      /** Its value; bytes as hex. */
      readonly value: string;
    }[];
  }[];
  /** The combined effects of all instructions if the transaction succeeds. */
  readonly effects: {
    /** Tokens that leave and enter each owner. */
    readonly tokens: readonly TokenChange[];
    /** Lamports that instructions move, without rent and network fee. */
    readonly lamports: readonly {
      /** The account. */
      readonly address: string;
      /** Lamports, negative when they leave. */
      readonly change: bigint;
    }[];
    /** Accounts that are created. */
    readonly accountsCreated: readonly {
      /** The account. */
      readonly address: string;
      /** What it is. */
      readonly what: string;
      /** The account that pays its lamports. */
      readonly payer: string;
      /** Its lamports; null if the cluster's rent was not read. */
      readonly lamports: bigint | null;
      /** Whether nothing is paid if it already exists. */
      readonly onlyIfMissing: boolean;
      /** Whether it already exists; null if no chain was read. */
      readonly exists: boolean | null;
    }[];
    /**
     * Maximum lamports for creating accounts, without those that already exist. Null if the cluster's rent
     * was not read.
     */
    readonly rentLamportsMax: bigint | null;
    /** Maximum network fee of the fee payer, in lamports; null on a rollup. */
    readonly networkFeeLamportsMax: bigint | null;
  };
  /** Facts that a signer should know. */
  readonly findings: readonly {
    readonly level: 'danger' | 'caution' | 'note';
    /** Stable name. */
    readonly code: string;
    /** In words. */
    readonly message: string;
    readonly instruction?: number;
  }[];
  /** Present if a request was passed. */
  readonly request?: {
    /** The requested operation. */
    readonly operation:
      | 'deposit'
      | 'withdraw'
      | 'transfer'
      | 'initializeMint'
      | 'undelegate'
      | 'createStealthPool'
      | 'recoverShuttles'
      | 'createLookupTable';
    /**
     * Whether the transaction matches the request; unverifiable if nothing differs, but a part is sealed or
     * could not be read from the chain.
     */
    readonly satisfied: 'yes' | 'no' | 'unverifiable';
    /** A verdict on each requirement of the request. */
    readonly claims: readonly {
      /** The name of the requirement. */
      readonly name: string;
      readonly verdict: 'ok' | 'differs' | 'unverifiable';
      /** In words. */
      readonly message: string;
    }[];
    /** Every difference between the transaction and the request. */
    readonly differences: readonly {
      readonly instruction?: number;
      /** Which account, field or property. */
      readonly part: string;
      /** The expected value. */
      readonly expected: string;
      /** What it is. */
      readonly found: string;
    }[];
  };
  /** Whether the ledger was read for mints, holders and lookup tables. */
  readonly chainRead: boolean;
  /** The result of sending it now; absent if offline. */
  readonly simulation?: Simulation;
}

export interface SendTransactionInput extends ClusterInput {
  /** The signed transaction as base64. */
  readonly transactionBase64: string;
  /** The ledger it was built for: the sendTo of the built transaction. */
  readonly sendTo: 'base' | 'ephemeral';
  /**
   * Wait until it has landed, at most 30 seconds, and then up to 20 seconds until the destination shows it.
   * Default: false.
   */
  readonly confirm?: boolean | undefined;
  /** The blockhash that the builder reported. If set, it must match the transaction. */
  readonly recentBlockhash?: string | undefined;
  /** The block height that the builder reported: waiting ends when it has passed. */
  readonly lastValidBlockHeight?: number | undefined;
  /** Send it without a simulation first. A transaction that fails then costs its fee. Default: false. */
  readonly skipPreflight?: boolean | undefined;
  /** How often the node resends it to the leaders. Default: until its blockhash has expired. */
  readonly maxRetries?: number | undefined;
  /**
   * The RPC endpoint to send it to. Ignored with a note unless the operator allows its host. It receives no
   * bearer token, and the landing is checked on the ledger of the cluster.
   */
  readonly sendRpcEndpoint?: string | undefined;
}

export interface SendTransactionOutput extends WithNotes {
  /** The signature the transaction is known by, base58. */
  readonly signature: string;
  /** The ledger it was sent to. */
  readonly sendTo: 'base' | 'ephemeral';
  /** Whether it has landed on the ledger successfully. */
  readonly confirmed: boolean;
  /** sent: sent, but not seen to land yet; confirmed: landed successfully; expired: it can no longer land. */
  readonly outcome: 'sent' | 'confirmed' | 'expired';
  /**
   * Where to look up the signature: the rollup's endpoint; absent if it is not shown, and for the base
   * ledger.
   */
  readonly confirmationRpcEndpoint?: string;
  /** Whether that lookup needs a bearer token. */
  readonly confirmationRequiresAuthToken: boolean;
  /**
   * Whether the destination shows the payment; only with confirm, and absent if the ledger had this
   * transaction before.
   */
  readonly arrival?: {
    /**
     * arrived: the destination shows the payment; moved nothing: no tokens were moved; still under way:
     * neither has been seen yet.
     */
    readonly outcome: 'arrived' | 'moved nothing' | 'still under way';
    /** What was observed, and how to check again. */
    readonly message: string;
  };
}

export interface ChallengeInput extends ClusterInput {
  /** The wallet that logs in. Base58, 32 bytes. */
  readonly pubkey: string;
  /** Accepted on localnet only, where it has no effect, because the login there is real. Default: false. */
  readonly mock?: boolean | undefined;
}

export interface ChallengeOutput {
  /** The text to sign, byte for byte as UTF-8. */
  readonly challenge: string;
}

export interface LoginInput extends ClusterInput {
  /** The wallet that logs in. Base58, 32 bytes. */
  readonly pubkey: string;
  /** The challenge that was signed, unchanged. */
  readonly challenge: string;
  /** The wallet's ed25519 signature over the challenge's UTF-8 bytes, base58. */
  readonly signature: string;
  /** Accepted on localnet only, where it has no effect, because the login there is real. Default: false. */
  readonly mock?: boolean | undefined;
}

export interface LoginOutput {
  /** The bearer token for private reads: send it as "Rollup-Authorization: Bearer <token>". */
  readonly token: string;
  /** When the token expires, in the form the rollup returns; absent if it does not expire. */
  readonly expiresAt?: number | string;
}

/** One function for each REST operation, by the operation's name. `Options` are the options of a call. */
export interface Calls<Options> {
  /**
   * Builds an unsigned transaction that deposits SPL tokens from the owner's token account into the mint's
   * vault and delegates the owner's ephemeral token account to a rollup validator.
   */
  deposit(input: DepositInput, options?: Options): Promise<DepositOutput>;
  /**
   * Builds an unsigned transaction that pays SPL tokens from one owner to another: on the base ledger, on the
   * rollup, or between them, publicly or privately.
   */
  transfer(input: TransferInput, options?: Options): Promise<TransferOutput>;
  /**
   * Builds an unsigned transaction that brings deposited SPL tokens back into the owner's token account on
   * the base ledger.
   */
  withdraw(input: WithdrawInput, options?: Options): Promise<WithdrawOutput>;
  /**
   * Builds an unsigned transaction that asks the rollup to settle the owner's ephemeral token account and
   * return it to the base ledger, where its tokens can then be withdrawn.
   */
  undelegate(input: UndelegateInput, options?: Options): Promise<UndelegateOutput>;
  /** Recovers payments that never arrived. */
  recoverShuttles(input: RecoverShuttlesInput, options?: Options): Promise<RecoverShuttlesOutput>;
  /**
   * Reads how many tokens of a mint a wallet's associated token account holds on the base ledger, in base
   * units.
   */
  getBalance(input: GetBalanceInput, options?: Options): Promise<GetBalanceOutput>;
  /**
   * Reads how many tokens of a mint a wallet has on the rollup, in base units: its deposits and the payments
   * it received there.
   */
  getPrivateBalance(input: GetPrivateBalanceInput, options?: Options): Promise<GetPrivateBalanceOutput>;
  /** Returns the price of a swap between two mints. */
  swapQuote(input: SwapQuoteInput, options?: Options): Promise<SwapQuoteOutput>;
  /**
   * Builds the transaction of a quote from spl.swapQuote, and checks by a simulation that the user pays and
   * receives no worse than quoted.
   */
  swap(input: SwapInput, options?: Options): Promise<SwapOutput>;
  /**
   * Builds an unsigned transaction that makes a mint ready for private transfers on a validator by creating
   * and delegating its vault and transfer queue.
   */
  initializeMint(input: InitializeMintInput, options?: Options): Promise<InitializeMintOutput>;
  /**
   * Checks whether a mint is ready for private transfers on a validator: whether its transfer queue exists on
   * the base ledger and is delegated, and whether a task on the rollup pays it out.
   */
  isMintInitialized(input: IsMintInitializedInput, options?: Options): Promise<IsMintInitializedOutput>;
  /**
   * For operators: builds unsigned transactions that create an address lookup table for private transfers
   * from base to base.
   */
  createLookupTable(input: CreateLookupTableInput, options?: Options): Promise<CreateLookupTableOutput>;
  /**
   * Makes sure that the rollup pays out the transfer queue of a mint on a validator: sends a transaction that
   * schedules its task again.
   */
  ensureTransferQueueCrank(
    input: EnsureTransferQueueCrankInput,
    options?: Options,
  ): Promise<EnsureTransferQueueCrankOutput>;
  /**
   * Builds two unsigned transactions for a stealth handle, a name that can be paid privately without
   * revealing its owner.
   */
  createStealthPool(input: CreateStealthPoolInput, options?: Options): Promise<CreateStealthPoolOutput>;
  /**
   * Reads whether a stealth handle can be paid: whether its pool exists on the base ledger, and its address.
   */
  getStealthPool(input: GetStealthPoolInput, options?: Options): Promise<GetStealthPoolOutput>;
  /**
   * Explains what a Solana transaction does before it is signed: every instruction in words, the tokens and
   * lamports that leave and enter each owner, accounts created, existing signatures, unknown programs and
   * dangerous instructions.
   */
  explainTransaction(input: ExplainTransactionInput, options?: Options): Promise<ExplainTransactionOutput>;
  /**
   * Sends a fully signed transaction to the ledger it was built for, and on request waits until it has
   * landed.
   */
  sendTransaction(input: SendTransactionInput, options?: Options): Promise<SendTransactionOutput>;
  /** Fetches the text that a wallet signs to log in to the cluster's private rollup. */
  challenge(input: ChallengeInput, options?: Options): Promise<ChallengeOutput>;
  /**
   * Exchanges a signed challenge for the bearer token with which the wallet can read its own accounts on the
   * cluster's private rollup.
   */
  login(input: LoginInput, options?: Options): Promise<LoginOutput>;
}

// oxfmt-ignore
const UNSIGNED = [
  'version', 'transactionBase64', 'sendTo', 'recentBlockhash', 'lastValidBlockHeight', 'instructionCount',
  'requiredSigners'
];
// oxfmt-ignore
const SIMULATED = [
  'simulation?.balanceChanges.*.before', 'simulation?.balanceChanges.*.after',
  'simulation?.balanceChanges.*.change'
];

/** The routes of all operations. */
// oxfmt-ignore
export const ROUTES: Readonly<Record<keyof Calls<never>, Route>> = {
  deposit: {
    method: 'POST', path: '/v1/spl/deposit', usesToken: false, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED, 'validator'],
    decimals: [...SIMULATED],
  },
  transfer: {
    method: 'POST', path: '/v1/spl/transfer', usesToken: true, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED, 'from', 'fees'],
    decimals: ['fees.lamports', 'fees.tokens', ...SIMULATED],
  },
  withdraw: {
    method: 'POST', path: '/v1/spl/withdraw', usesToken: true, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED, 'validator'],
    decimals: [...SIMULATED],
  },
  undelegate: {
    method: 'POST', path: '/v1/spl/undelegate-ephemeral-ata', usesToken: true, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED],
    decimals: [...SIMULATED],
  },
  recoverShuttles: {
    method: 'POST', path: '/v1/spl/recover-shuttles', usesToken: false, isKeyed: true, isRead: false,
    required: ['kind', 'shuttles', 'transactions', 'left'],
    decimals: ['shuttles.*.amount'],
  },
  getBalance: {
    method: 'GET', path: '/v1/spl/balance', usesToken: false, isKeyed: false, isRead: true,
    required: ['address', 'mint', 'ata', 'location', 'balance'],
    decimals: ['balance'],
  },
  getPrivateBalance: {
    method: 'GET', path: '/v1/spl/private-balance', usesToken: true, isKeyed: false, isRead: true,
    required: ['address', 'mint', 'ata', 'location', 'balance'],
    decimals: ['balance'],
  },
  swapQuote: {
    method: 'GET', path: '/v1/swap/quote', usesToken: false, isKeyed: false, isRead: true,
    required: [
      'inputMint', 'inAmount', 'outputMint', 'outAmount', 'otherAmountThreshold', 'swapMode', 'slippageBps',
      'routePlan'
    ],
    decimals: [],
  },
  swap: {
    method: 'POST', path: '/v1/swap/swap', usesToken: false, isKeyed: true, isRead: false,
    required: ['kind', 'swapTransaction', 'sendTo', 'requiredSigners'],
    decimals: [],
  },
  initializeMint: {
    method: 'POST', path: '/v1/spl/initialize-mint', usesToken: false, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED, 'validator', 'transferQueue', 'rentPda'],
    decimals: [...SIMULATED],
  },
  isMintInitialized: {
    method: 'GET', path: '/v1/spl/is-mint-initialized', usesToken: false, isKeyed: false, isRead: true,
    required: ['mint', 'validator', 'transferQueue', 'initialized'],
    decimals: [],
  },
  createLookupTable: {
    method: 'POST', path: '/v1/spl/lookup-table', usesToken: false, isKeyed: true, isRead: false,
    required: ['kind', 'lookupTable', 'addresses', 'transactions'],
    decimals: [],
  },
  ensureTransferQueueCrank: {
    method: 'POST', path: '/v1/spl/transfer-queue/ensure-crank', usesToken: false, isKeyed: true, isRead: false,
    required: ['mint', 'validator', 'transferQueue', 'crankSignature'],
    decimals: [],
  },
  createStealthPool: {
    method: 'POST', path: '/v1/spl/stealth-pool', usesToken: true, isKeyed: true, isRead: false,
    required: ['kind', ...UNSIGNED, 'validator', 'stealthPool', 'setupTransaction'],
    decimals: [...SIMULATED],
  },
  getStealthPool: {
    method: 'GET', path: '/v1/spl/stealth-pool', usesToken: false, isKeyed: false, isRead: true,
    required: ['stealthPool', 'exists'],
    decimals: [],
  },
  explainTransaction: {
    method: 'POST', path: '/v1/transaction/explain', usesToken: true, isKeyed: false, isRead: true,
    required: [
      'verdict', 'version', 'size', 'cluster', 'sendTo', 'recentBlockhash', 'feePayer', 'signers',
      'fullySigned', 'lookupTables', 'instructions', 'effects', 'findings', 'chainRead'
    ],
    decimals: [
      'wallet?.tokens.*.change|null', 'wallet?.lamportsMin|null', 'effects.tokens.*.change|null',
      'effects.lamports.*.change', 'effects.accountsCreated.*.lamports|null', 'effects.rentLamportsMax|null',
      'effects.networkFeeLamportsMax|null', ...SIMULATED
    ],
  },
  sendTransaction: {
    method: 'POST', path: '/v1/transaction/send', usesToken: true, isKeyed: true, isRead: false,
    required: ['signature', 'sendTo', 'confirmed', 'outcome', 'confirmationRequiresAuthToken'],
    decimals: [],
  },
  challenge: {
    method: 'GET', path: '/v1/spl/challenge', usesToken: false, isKeyed: false, isRead: true,
    required: ['challenge'],
    decimals: [],
  },
  login: {
    method: 'POST', path: '/v1/spl/login', usesToken: false, isKeyed: false, isRead: false,
    required: ['token'],
    decimals: [],
  },
};
