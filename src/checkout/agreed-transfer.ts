import type { Chain, Rollup } from '../chain/chain.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { forBeingPaid, readTokenAccount } from '../payments/accounts/token-account.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
import { type MintFacts, readMint } from '../payments/mints/mint-facts.ts';
import { DELEGATION_PROGRAM, PERMISSION_PROGRAM } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import { addMemo } from '../programs/memo.ts';
import { derivePermission } from '../programs/permission/state.ts';
import { transferChecked } from '../programs/token/instructions.ts';
import { paymentIdOf } from '../settlement/payment-id.ts';
import { ownersOffRollup } from '../settlement/settlement-ledger.ts';
import { type Address, addressBytes, addressOf } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { type CompiledMessage, compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { isStrictlySigned } from '../solana/strict-signature.ts';
import { messageOf } from '../solana/transaction.ts';

/** A transfer between two accounts on a rollup, on terms that a merchant and a payer have agreed on. */
export interface AgreedTransfer {
  readonly chain: Chain;
  /** Whether both accounts must be private. */
  readonly isPrivate: boolean;
  readonly from: Address;
  readonly to: Address;
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Distinguishes equal transfers. */
  readonly memo: string;
}

/** The unsigned transaction of an agreed transfer. */
export interface PreparedTransfer {
  readonly transactionBase64: string;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
  /** The validator that runs the rollup. */
  readonly validator: Address;
}

/** The signed transaction of an agreed transfer. */
export interface SignedTransfer {
  /** SHA-256 of its message, base64url. */
  readonly id: string;
  readonly wire: Uint8Array;
  /** base58. */
  readonly signature: string;
  /** base58. */
  readonly blockhash: string;
}

/**
 * Returns the rollup of a transfer.
 *
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER if its cluster has none.
 */
export function rollupOf({ chain }: AgreedTransfer): Rollup {
  if (chain.rollup !== null) return chain.rollup;
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `cluster ${chain.cluster} has no rollup on this service, so merchants cannot be paid on it; ask the operator to configure one`,
  );
}

/**
 * Builds the transaction for a transfer on a new blockhash of the rollup, after checking that the ledgers
 * would execute it: `TransferChecked` and a memo, with the payer as the only signer.
 *
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER, PAYMENT_ACCOUNTS_NOT_DELEGATED,
 *   PAYMENT_ACCOUNTS_NOT_PRIVATE, TOKEN_ACCOUNT_OWNER_MISMATCH, PAYMENT_ZERO_FEE_REQUIRED; the errors of
 *   reading a mint and of reading ledgers.
 */
export async function prepareTransfer(transfer: AgreedTransfer): Promise<PreparedTransfer> {
  const { chain, mint } = transfer;
  const rollup = rollupOf(transfer);
  const [facts] = await Promise.all([readMint(chain, mint), requireAccounts(transfer)]);
  await requireOwnAccount(transfer, facts);
  const [{ blockhash, lastValidBlockHeight }, validator] = await Promise.all([
    rollup.latestBlockhash(),
    rollup.identity(),
  ]);
  const message = compile(transfer, facts, decodeBase58(blockhash));
  await requireNoFee(rollup, message.bytes);
  const transactionBase64 = Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
  return { transactionBase64, recentBlockhash: blockhash, lastValidBlockHeight, validator };
}

/**
 * Reads the signed transaction of a transfer. Its message must be byte-identical to the one that
 * {@link prepareTransfer} builds on its blockhash.
 *
 * @param text base64.
 * @throws {ServiceError} INVALID_PAYMENT_TRANSACTION; the errors of reading a mint.
 */
export async function readSignedTransfer(text: string, transfer: AgreedTransfer): Promise<SignedTransfer> {
  const transaction = decode(text);
  const facts = await readMint(transfer.chain, transfer.mint);
  const message = messageOf(transaction);
  const blockhash = transaction.wire.subarray(transaction.blockhashAt, transaction.blockhashAt + 32);
  if (Buffer.compare(compile(transfer, facts, blockhash).bytes, message) !== 0) {
    throw invalid('it is not the prepared payment: sign the transaction from the prepare call unchanged');
  }
  const [signature] = transaction.signatures;
  if (signature === undefined || !isStrictlySigned(addressBytes(transfer.from), message, signature)) {
    throw invalid(`${transfer.from} has not signed it: sign it with that wallet`);
  }
  return {
    id: paymentIdOf(transaction),
    wire: transaction.wire,
    signature: encodeBase58(signature),
    blockhash: addressOf(blockhash),
  };
}

function decode(text: string): ReturnType<typeof readTransactionText> {
  try {
    return readTransactionText(text);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw invalid(error.message, error);
  }
}

const invalid = (why: string, cause?: Error): ServiceError =>
  new ServiceError(
    'INVALID_PAYMENT_TRANSACTION',
    `The transaction was not accepted: ${why}`,
    { field: 'transactionBase64' },
    { cause },
  );

function compile(
  { from, to, mint, amount, memo }: AgreedTransfer,
  { tokenProgram, decimals }: MintFacts,
  blockhash: Uint8Array,
): CompiledMessage {
  const [source, destination] = [from, to].map((owner) => deriveAta(owner, mint, tokenProgram).address);
  const accounts = { source: source as Address, mint, destination: destination as Address, authority: from };
  return compileLegacyMessage({
    feePayer: from,
    blockhash,
    instructions: [transferChecked(tokenProgram, accounts, amount, decimals), addMemo(memo)],
  });
}

/** @throws {ServiceError} PAYMENT_ACCOUNTS_NOT_DELEGATED, PAYMENT_ACCOUNTS_NOT_PRIVATE. */
async function requireAccounts({ chain, isPrivate, from, to, mint }: AgreedTransfer): Promise<void> {
  const owners = [from, to];
  const permissions = owners.map((owner) => derivePermission(deriveEata(owner, mint).address).address);
  const [missing, guards] = await Promise.all([
    ownersOffRollup(chain, owners, mint),
    isPrivate ? chain.getAccounts(permissions) : [],
  ]);
  if (missing.length > 0) {
    throw new ServiceError(
      'PAYMENT_ACCOUNTS_NOT_DELEGATED',
      `No account for mint ${mint} exists on the rollup of cluster ${chain.cluster} for ${missing.map((owner) => (owner === from ? `the payer (${owner})` : `the recipient (${owner}; any amount is enough)`)).join(' or ')}: deposit there first (spl.deposit)`,
      { owners: missing, mint },
    );
  }
  const open = owners.filter((_, at) => {
    const program = guards[at]?.owner;
    return isPrivate && program !== PERMISSION_PROGRAM && program !== DELEGATION_PROGRAM;
  });
  if (open.length === 0) return;
  throw new ServiceError(
    'PAYMENT_ACCOUNTS_NOT_PRIVATE',
    `The payment must be private, but anyone can read the account of ${open.join(' and ')} on the rollup: withdraw and deposit again with private: true, or create the order for cluster ${chain.cluster} without -private`,
    { owners: open, mint },
  );
}

/** @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH if the recipient's ATA belongs to someone else. */
async function requireOwnAccount(
  { chain, to, mint }: AgreedTransfer,
  { tokenProgram }: MintFacts,
): Promise<void> {
  const ata = deriveAta(to, mint, tokenProgram).address;
  const [account = null] = await chain.getAccounts([ata]);
  readTokenAccount({ ata, owner: to, mint, tokenProgram }, account, forBeingPaid);
}

/** @throws {ServiceError} PAYMENT_ZERO_FEE_REQUIRED. */
async function requireNoFee(rollup: Rollup, message: Uint8Array): Promise<void> {
  const fee = (await rollup.feeOf?.(message)) ?? 0n;
  if (fee === 0n) return;
  throw new ServiceError(
    'PAYMENT_ZERO_FEE_REQUIRED',
    `The rollup would charge the payer ${fee} lamports, but this service does not require payers to have lamports there; ask the operator to use a rollup without fees`,
    { lamports: String(fee) },
  );
}
