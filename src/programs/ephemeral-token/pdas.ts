import type { Address } from '../../solana/address.ts';
import { findPda, type Pda, type Seed } from '../../solana/pda.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../addresses.ts';
import { textSeed, u32 } from '../instruction-data.ts';

const RENT_SEED = textSeed('rent');
const QUEUE_SEED = textSeed('queue');
const QUEUE_REFILL_SEED = textSeed('queue-refill');
const GROUP_RECEIPT_SEED = textSeed('group-receipt');
const LAMPORTS_SEED = textSeed('lamports');
const STASH_SEED = textSeed('stash');

const find = (...seeds: Seed[]): Pda => findPda(seeds, EPHEMERAL_TOKEN_PROGRAM);

/** Derives the ephemeral ATA (eATA), an owner's share of a mint's vault. Seeds owner, mint. */
export const deriveEata = (owner: Address, mint: Address): Pda => find(owner, mint);

/** Derives the global vault of a mint. Its ATA holds the deposited tokens. Seed mint. */
export const deriveVault = (mint: Address): Pda => find(mint);

/** Derives the account that pays rent on layout B. */
export const deriveRentPda = (): Pda => find(RENT_SEED);

/** Derives the metadata of a shuttle, a one-way carrier of tokens. Seeds owner, mint, shuttleId u32. */
export const deriveShuttleMetadata = (owner: Address, mint: Address, shuttleId: number): Pda =>
  find(owner, mint, u32(shuttleId));

/** Derives the queue of a mint's delayed transfers on one validator. Seeds "queue", mint, validator. */
export const deriveTransferQueue = (mint: Address, validator: Address): Pda =>
  find(QUEUE_SEED, mint, validator);

/** Derives the refill state of a transfer queue. Seeds "queue-refill", queue. */
export const deriveQueueRefillState = (queue: Address): Pda => find(QUEUE_REFILL_SEED, queue);

/** Derives the receipt of a split transfer. Seeds "group-receipt", queue, source owner, groupId u32. */
export const deriveGroupReceipt = (queue: Address, sourceOwner: Address, groupId: number): Pda =>
  find(GROUP_RECEIPT_SEED, queue, sourceOwner, u32(groupId));

/** Derives the carrier of a sponsored lamports transfer. Seeds "lamports", payer, destination, salt 32. */
export const deriveLamportsPda = (payer: Address, destination: Address, salt: Uint8Array): Pda =>
  find(LAMPORTS_SEED, payer, destination, salt);

/** Derives the stash of a swap. Seeds "stash", user, mint. */
export const deriveStash = (user: Address, mint: Address): Pda => find(STASH_SEED, user, mint);
