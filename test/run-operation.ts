import type { z } from 'zod';
import { isServiceError, type ServiceError } from '../src/errors/service-error.ts';
import { ANONYMOUS, type Operation, type OperationCaller } from '../src/payments/operation.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../src/programs/addresses.ts';
import type { Address } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/instruction.ts';
import { decodeTransaction, isStaticKeyWritable } from '../src/solana/transaction.ts';

/** Runs an operation like the service: parses its arguments and its result with the schemas. */
export async function runOperation<Input, Output extends object>(
  operation: Operation<Input, Output>,
  args: object,
  caller: OperationCaller = ANONYMOUS,
) {
  const { output, sentences } = await operation.run(operation.input.parse(args), caller);
  return { output: operation.output.parse(output), sentences };
}

/** Returns the ServiceError that `running` rejects with. Fails on any other outcome. */
export async function refusalOf(running: Promise<unknown>): Promise<ServiceError> {
  try {
    await running;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/**
 * Returns a built transaction's calls: program (unless ephemeral SPL token) and first data byte.
 */
export function callsOf(transactionBase64: string): string[] {
  const { instructions, staticKeys } = decodeTransaction(
    new Uint8Array(Buffer.from(transactionBase64, 'base64')),
  );
  return instructions.map(({ programIdIndex, data }) => {
    const program = staticKeys[programIdIndex] as Address;
    return program === EPHEMERAL_TOKEN_PROGRAM ? `${data[0]}` : `${program.slice(0, 6)} ${data[0]}`;
  });
}

/** Returns a built legacy transaction's instructions. Accounts have the rights of the whole transaction. */
export function instructionsOf(transactionBase64: string): Instruction[] {
  const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
  const { staticKeys, requiredSignatures } = transaction;
  return transaction.instructions.map(({ programIdIndex, accounts, data }) => ({
    programId: staticKeys[programIdIndex] as Address,
    accounts: [...accounts].map((index) => ({
      address: staticKeys[index] as Address,
      signer: index < requiredSignatures,
      writable: isStaticKeyWritable(transaction, index),
    })),
    data,
  }));
}

/** Returns the accounts of a built transaction. */
export const accountsOf = (transactionBase64: string): readonly Address[] =>
  decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64'))).staticKeys;

/** Returns the names of the arguments that an input schema rejects. */
export function faultyFields({ input }: { readonly input: z.ZodType }, args: object): PropertyKey[] {
  const { error } = input.safeParse(args);
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1),
  );
}
