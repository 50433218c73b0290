import { z } from 'zod';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, ADDRESS_BYTES, ADDRESS_TEXT_MAX, decodeKey, isAddress } from '../../solana/address.ts';
import { COMMITMENTS, isLasting } from '../../solana/commitment.ts';
import { isSignature } from '../../solana/signature.ts';
import type { FoundAccount, LatestBlockhash, SignatureStatus, SimulationResult } from '../chain.ts';

/** The largest amount of lamports, and the largest rent epoch. */
const U64_MAX = 0xffff_ffff_ffff_ffffn;

const slot = z.int().min(0);
const context = z.object({ slot });
const addressText = z
  .string()
  .refine(isAddress)
  .transform((text): Address => text as Address);
const blockhashText = z
  .string()
  .refine((text) => typeof decodeKey(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX) !== 'string');

/** An account, parsed without a schema: a schema takes a third of the CPU time for building a payment. */
const account = z.unknown().transform((value, checks): Account => {
  const read = readAccount(value);
  if (read !== null) return read;
  checks.addIssue('not an account');
  return z.NEVER;
});

/** Parses an account; null if the value is not one. */
function readAccount(value: unknown): Account | null {
  if (typeof value !== 'object' || value === null) return null;
  const { lamports, owner, data, executable, rentEpoch } = value as Record<string, unknown>;
  const amount = readInteger(lamports, Number.MAX_SAFE_INTEGER);
  // Providers written in JavaScript round u64::MAX up. Any rent epoch now means only "rent-exempt".
  const epoch = readInteger(rentEpoch, Infinity);
  if (amount === null || amount > U64_MAX || epoch === null) return null;
  if (typeof owner !== 'string' || !isAddress(owner) || typeof executable !== 'boolean') return null;
  if (!Array.isArray(data) || data.length !== 2 || typeof data[0] !== 'string' || data[1] !== 'base64')
    return null;
  const bytes = Buffer.from(data[0], 'base64');
  // Node skips characters that are not base64 instead of failing, so compare with a new encoding.
  if (bytes.toString('base64') !== data[0]) return null;
  return {
    lamports: amount,
    owner,
    data: bytes,
    executable,
    rentEpoch: epoch > U64_MAX ? RENT_EXEMPT_EPOCH : epoch,
  };
}

/** Reads an integer as `parseExact` returns it: a number up to `max`, or its digits as text if larger. */
function readInteger(value: unknown, max: number): bigint | null {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value <= max ? BigInt(value) : null;
  return typeof value === 'string' && /^[1-9]\d{15,29}$/.test(value) ? BigInt(value) : null;
}

/** `TransactionError` as JSON. It is required, because an absent field is not the null that means success. */
const transactionError = z.custom<unknown>((value) => value !== undefined);

const accountOrNull = account.nullable();

/** The answer to `getMultipleAccounts`. */
export const accountsAnswer = z.object({ context, value: z.array(accountOrNull) });

/** The answer to `getMultipleAccounts` for several requests: a malformed account is undefined. */
export const sharedAccountsAnswer = z.object({
  context,
  value: z.array(z.unknown().transform((value) => accountOrNull.safeParse(value).data)),
});

/** The answer to `getProgramAccounts` with `withContext`. */
export const foundAccountsAnswer = z
  .object({ context, value: z.array(z.object({ pubkey: addressText, account })) })
  .transform(({ value }): FoundAccount[] =>
    value.map(({ pubkey, account: found }) => ({ address: pubkey, account: found })),
  );

/** The answer to `getLatestBlockhash`. */
export const latestBlockhashAnswer = z
  .object({ context, value: z.object({ blockhash: blockhashText, lastValidBlockHeight: slot }) })
  .transform(({ value }): LatestBlockhash => value);

/** The slot of an answer. */
export const contextSlotAnswer = z.object({ context }).transform((answer) => answer.context.slot);

/** The answer to `getBlockHeight`. */
export const blockHeightAnswer = slot;

/** The answer to `getFeeForMessage`, in lamports; null if the node does not know the blockhash. */
export const feeAnswer = z
  .object({ context, value: z.int().min(0).nullable() })
  .transform(({ value }): bigint | null => (value === null ? null : BigInt(value)));

/** The answer to `isBlockhashValid`. */
export const blockhashValidAnswer = z
  .object({ context, value: z.boolean() })
  .transform(({ value }): boolean => value);

/** The answer to `simulateTransaction`. */
export const simulationAnswer = z
  .object({
    context,
    value: z.object({
      err: transactionError,
      logs: z.array(z.string()).nullish(),
      unitsConsumed: z.int().min(0).nullish(),
      accounts: z.array(account.nullable()).nullish(),
    }),
  })
  .transform(({ value: { err, logs, unitsConsumed, accounts } }): SimulationResult => ({
    err,
    logs: logs ?? [],
    computeUnits: unitsConsumed ?? null,
    accounts: err === null ? (accounts ?? []) : null,
  }));

/** The answer to `sendTransaction`: the signature. */
export const signatureAnswer = z.string().refine(isSignature);

/**
 * The answer to `getSignatureStatuses` of one signature. A transaction that is only processed can still be
 * dropped and counts as unseen; an unknown commitment makes the answer invalid.
 */
export const signatureStatusAnswer = z
  .object({
    context,
    value: z.tuple([
      z
        .object({
          slot,
          err: transactionError,
          confirmations: z.int().min(0).nullish(),
          confirmationStatus: z.enum(COMMITMENTS).nullish(),
        })
        .refine(
          ({ confirmations, confirmationStatus }) =>
            confirmations !== undefined || confirmationStatus != null,
          { error: 'has neither a commitment nor a number of confirmations' },
        )
        .nullable()
        .transform((status): SignatureStatus | null => {
          if (status === null) return null;
          // Without a commitment, a null count of confirmations means finalized (Agave `TransactionStatus`).
          const finalized = status.confirmations == null ? 'finalized' : 'processed';
          const seen = status.confirmationStatus ?? finalized;
          return isLasting(seen) ? { slot: status.slot, err: status.err } : null;
        }),
    ]),
  })
  .transform(({ value: [status] }) => status);

/** The answer to `getIdentity`. */
export const identityAnswer = z.object({ identity: addressText }).transform(({ identity }) => identity);
