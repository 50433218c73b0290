import {
  address,
  appendTransactionMessageInstructions,
  blockhash as toBlockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageHeapSize,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import {
  decodeTransaction,
  isStaticKeyWritable,
  messageOf,
  type Transaction,
} from '../../solana/transaction.ts';
import type { Keypair } from '../keypair.ts';

/** The contents of a transaction of version 1. */
export interface Version1Source {
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  /** Priority fee, in lamports. */
  readonly priorityFee?: bigint;
  /** Compute unit limit; default the maximum for a transaction. Null sets no limit, which means 0. */
  readonly computeUnits?: number | null;
  readonly loadedBytes?: number | null;
  readonly heapBytes?: number;
}

/** Builds an unsigned transaction of version 1 with kit, as wire bytes. */
export function version1Of(source: Version1Source): Uint8Array {
  const { feePayer, blockhash, instructions, priorityFee } = source;
  const { computeUnits = 1_400_000, loadedBytes = 64 * 1024 * 1024 } = source;
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(address(feePayer), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: toBlockhash(blockhash), lastValidBlockHeight: 1n },
        paid,
      ),
    (living) =>
      appendTransactionMessageInstructions(
        instructions.map(({ programId, accounts, data }) => ({
          programAddress: address(programId),
          accounts: accounts.map((meta) => ({
            address: address(meta.address),
            role: (meta.signer ? 2 : 0) + (meta.writable ? 1 : 0),
          })),
          data,
        })),
        living,
      ),
    (whole) => setTransactionMessageComputeUnitLimit(computeUnits ?? undefined, whole),
    (whole) => setTransactionMessageLoadedAccountsDataSizeLimit(loadedBytes ?? undefined, whole),
    (whole) => setTransactionMessagePriorityFeeLamports(priorityFee, whole),
    (whole) => setTransactionMessageHeapSize(source.heapBytes, whole),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
}

/** Builds a transaction of version 1, signed by these signers. */
export function signedVersion1(source: Version1Source, signers: readonly Keypair[]): Transaction {
  const unsigned = decodeTransaction(version1Of(source));
  const wire = Uint8Array.from(unsigned.wire);
  for (const signer of signers) {
    const place = unsigned.staticKeys.indexOf(signer.address);
    wire.set(signer.sign(messageOf(unsigned)), unsigned.signaturesAt + place * SIGNATURE_BYTES);
  }
  return decodeTransaction(wire);
}

/** Converts a transaction without lookup tables to an unsigned one of version 1. */
export function asVersion1(transaction: Transaction): Uint8Array {
  const { wire, blockhashAt, staticKeys } = transaction;
  return version1Of({
    feePayer: staticKeys[0] as Address,
    blockhash: encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32)),
    instructions: instructionsOf(transaction),
  });
}

function instructionsOf(transaction: Transaction): Instruction[] {
  const { staticKeys, requiredSignatures } = transaction;
  const metaOf = (index: number) => ({
    address: staticKeys[index] as Address,
    signer: index < requiredSignatures,
    writable: isStaticKeyWritable(transaction, index),
  });
  return transaction.instructions.map(({ programIdIndex, accounts, data }) => ({
    programId: staticKeys[programIdIndex] as Address,
    accounts: [...accounts].map(metaOf),
    data,
  }));
}
