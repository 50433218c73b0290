import type { Clusters } from '../chain/clusters.ts';
import { readDecimals } from '../client/answer.ts';
import { type ExplainTransactionOutput, ROUTES } from '../client/generated.ts';
import { PaymentsError, type PaymentsErrorCode } from '../client/payments-error.ts';
import { isServiceError } from '../errors/service-error.ts';
import { createGetBalance, createGetPrivateBalance } from '../payments/balances.ts';
import { createDeposit } from '../payments/deposit.ts';
import { createExplainTransaction } from '../payments/explain-transaction.ts';
import { createInitializeMint } from '../payments/initialize-mint.ts';
import type { Operation } from '../payments/operation.ts';
import { createTransfer } from '../payments/transfer.ts';
import { createUndelegate } from '../payments/undelegate.ts';
import { createWithdraw } from '../payments/withdraw.ts';
import { systemRandom as random } from '../ports/random.ts';
import type { Address } from '../solana/address.ts';

/** Operations whose transactions the client checks and sends. */
export type CheckedOperation = 'deposit' | 'withdraw' | 'transfer' | 'undelegate' | 'initializeMint';

/** Operations that the client runs itself with the caller's own nodes. */
export interface LocalOperations {
  /** Explains a transaction and compares it with its request. */
  explain(input: object, token: string | undefined): Promise<ExplainTransactionOutput>;
  /** Reads a balance on base, in base units. */
  balance(input: object): Promise<bigint>;
  /** Reads a balance on the rollup, in base units. */
  privateBalance(input: object, token: string | undefined): Promise<bigint>;
}

/**
 * Runs the operations of the service on the caller's ledgers.
 *
 * @param owners other wallets with accounts that transactions may use. Default: none.
 */
export function createLocalOperations(
  clusters: Clusters,
  sponsor: Address | null,
  owners: readonly Address[] = [],
): LocalOperations {
  // Only the schemas are used, to parse requests.
  const operations = [
    createDeposit({ clusters, random }),
    createWithdraw({ clusters, random }),
    createTransfer({ clusters, random }),
    createInitializeMint({ clusters }),
    createUndelegate({ clusters }),
  ] as Operation[];
  const explain = createExplainTransaction({ clusters, operations, sponsor, owners: () => owners });
  const balance = createGetBalance(clusters);
  const privateBalance = createGetPrivateBalance({ clusters });
  return {
    explain: async (input, token) => {
      // Copy shared objects, as serializing a REST response would.
      const output = JSON.parse(JSON.stringify(await run(explain, input, token))) as object;
      readDecimals(output, ROUTES.explainTransaction.decimals);
      return output as ExplainTransactionOutput;
    },
    balance: async (input) => BigInt((await run(balance, input)).balance),
    privateBalance: async (input, token) => BigInt((await run(privateBalance, input, token)).balance),
  };
}

/** @throws {PaymentsError} with the code of the operation's error. */
async function run<Input, Output extends object>(
  operation: Operation<Input, Output>,
  input: object,
  token?: string,
): Promise<Output> {
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new PaymentsError('INVALID_ARGUMENTS', faults.join('; '));
  }
  return await asPaymentsErrors(async () => (await operation.run(parsed.data, { token })).output);
}

/** Converts errors from the caller's nodes to client errors with status 0, because no service responded. */
export async function asPaymentsErrors<T>(running: () => Promise<T>): Promise<T> {
  try {
    return await running();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const { code, message, context } = error;
    // Operations never throw error codes for merchants.
    throw new PaymentsError(code as PaymentsErrorCode, message, {
      serviceCode: code,
      details: context,
      cause: error,
    });
  }
}
