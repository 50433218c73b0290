import { MAGIC_CONTEXT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Whether an account that a transaction names is read for it. The Magic context is not: it has no balance of
 * anybody, and its 5 MB (magicblock-validator `MAGIC_CONTEXT_SIZE`) are more than is read of a node at once.
 */
export const isWorthReading = (address: Address): boolean => address !== MAGIC_CONTEXT;
