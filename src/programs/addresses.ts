import type { Address } from '../solana/address.ts';

const at = (text: string): Address => text as Address;

export const SYSTEM_PROGRAM = at('11111111111111111111111111111111');
export const TOKEN_PROGRAM = at('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = at('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN_PROGRAM = at('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const MEMO_PROGRAM = at('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const MEMO_PROGRAM_V1 = at('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
/** Lighthouse, whose assertions wallets add to transactions to protect their users. */
export const LIGHTHOUSE_PROGRAM = at('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
/** Jupiter's aggregator, version 6, which executes the routes of its swap API. */
export const JUPITER_PROGRAM = at('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
export const COMPUTE_BUDGET_PROGRAM = at('ComputeBudget111111111111111111111111111111');
export const ADDRESS_LOOKUP_TABLE_PROGRAM = at('AddressLookupTab1e1111111111111111111111111');
export const NATIVE_LOADER = at('NativeLoader1111111111111111111111111111111');
export const BPF_LOADER_2 = at('BPFLoader2111111111111111111111111111111111');
export const BPF_LOADER_UPGRADEABLE = at('BPFLoaderUpgradeab1e11111111111111111111111');
export const SYSVAR_OWNER = at('Sysvar1111111111111111111111111111111111111');

/** Ephemeral SPL token program: vaults and ephemeral token accounts. */
export const EPHEMERAL_TOKEN_PROGRAM = at('SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2');
/** Delegation program: delegates accounts to a validator and undelegates them. */
export const DELEGATION_PROGRAM = at('DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh');
/** Permission program: controls who may read a delegated account on the rollup. */
export const PERMISSION_PROGRAM = at('ACLseoPoyC3cBqoUtkbjZ4aDrkurZW86v19pXz2XQnp1');
/** The rollup's native program, which accepts commit requests, and the account that stores them. */
export const MAGIC_PROGRAM = at('Magic11111111111111111111111111111111111111');
export const MAGIC_CONTEXT = at('MagicContext1111111111111111111111111111111');
/** The Magic program's vault, which pays for accounts that exist only on the rollup. */
export const EPHEMERAL_VAULT = at('MagicVau1t999999999999999999999999999999999');
export const NOOP_PROGRAM = at('noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV');

/** The mint of wrapped SOL. */
export const NATIVE_MINT = at('So11111111111111111111111111111111111111112');
/** The USDC mints of mainnet and devnet. The embedded ledger has both. */
export const USDC_MINT = at('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const USDC_DEVNET_MINT = at('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');

/** The public development identity of the localnet validator. Its fees vault is part of the local genesis. */
export const LOCALNET_VALIDATOR = at('mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev');

/**
 * The staking programs and their config account (`solana-sdk-ids`, `solana-stake-interface` `config::ID`).
 */
export const STAKE_PROGRAM = at('Stake11111111111111111111111111111111111111');
export const VOTE_PROGRAM = at('Vote111111111111111111111111111111111111111');
export const CONFIG_PROGRAM = at('Config1111111111111111111111111111111111111');
export const STAKE_CONFIG = at('StakeConfig11111111111111111111111111111111');
