import type { Location } from '../building/built-transaction.ts';
import { z } from 'zod';
import type { Chain, LedgerClient } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { isReadable } from '../accounts/read-accounts.ts';
import { flag } from '../fields/fields.ts';
import type { Operation, OperationCaller, OperationResult } from '../operation.ts';
import {
  describeSimulation,
  runSimulation,
  simulationSummary,
  type SimulationSummary,
} from './run-simulation.ts';

/** The part of a build operation's result that a simulation needs. */
interface Built {
  readonly transactionBase64: string;
  readonly sendTo: Location;
}

const simulate = flag(
  'Also simulate the transaction on the current ledger and report balance changes, compute units, error and log. Default: false.',
).optional();

const simulation = simulationSummary
  .optional()
  .meta({ description: 'The result of a simulation on the current ledger; present if simulate is true.' });

/**
 * Wraps a build operation so that it also simulates its result if `simulate` is true. Input and output get
 * one more member each. If the result has a `setupTransaction`, that one is simulated, because it is sent
 * first.
 *
 * @throws {TypeError} if a schema of the operation is not a zod object.
 */
export function withSimulation<Input, Output extends object>(
  operation: Operation<Input, Output>,
  clusters: Clusters,
): Operation {
  return {
    ...operation,
    input: objectSchema(operation.input).safeExtend({ simulate }) as z.ZodType,
    output: objectSchema(operation.output).safeExtend({ simulation }) as z.ZodType<object>,
    run: (input, caller) => {
      const { simulate: wanted, ...own } = input as { simulate?: boolean; cluster?: string };
      const result = operation.run(own as Input, caller);
      return wanted === true
        ? result.then((built) => addSimulation(built, clusters.resolve(own.cluster), caller))
        : result;
    },
  };
}

async function addSimulation(
  { output, sentences }: OperationResult<object>,
  chain: Chain,
  { token }: OperationCaller,
): Promise<OperationResult<object>> {
  const summary = await tryBuilt(chain, firstToSend(output), token);
  return {
    output: { ...output, simulation: summary },
    sentences: [...sentences, describeSimulation(summary)],
  };
}

function objectSchema(schema: z.ZodType): z.ZodObject {
  if (!(schema instanceof z.ZodObject))
    throw new TypeError('only an operation on zod objects can be extended');
  return schema;
}

function firstToSend(output: object): Built {
  const { setupTransaction } = output as { setupTransaction?: Built };
  return setupTransaction ?? (output as Built);
}

async function tryBuilt(chain: Chain, built: Built, token: string | undefined): Promise<SimulationSummary> {
  const wire = new Uint8Array(Buffer.from(built.transactionBase64, 'base64'));
  const transaction = decodeTransaction(wire);
  // An operation that builds for the rollup has checked that it exists.
  const node = built.sendTo === 'base' ? chain : (chain.rollup as LedgerClient);
  const { summary } = await runSimulation({
    node,
    layout: chain.layout,
    wire,
    watch: writableKeys(transaction),
    programs: programsOf(transaction),
    token: built.sendTo === 'base' ? undefined : token,
  });
  return summary;
}

/** The accounts a transaction can change, without those from lookup tables. */
function writableKeys(transaction: Transaction): Address[] {
  return transaction.staticKeys.filter(
    (key, index) => isStaticKeyWritable(transaction, index) && isReadable(key),
  );
}

/** The program of each instruction of a sane transaction. */
export function programsOf(transaction: Transaction): Address[] {
  return transaction.instructions.map(
    ({ programIdIndex }) => transaction.staticKeys[programIdIndex] as Address,
  );
}
