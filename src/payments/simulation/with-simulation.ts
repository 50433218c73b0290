import { z } from 'zod';
import type { Chain, Layout, LedgerClient } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { decodeTokenAccount, isTokenProgram, type TokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { isReadable } from '../accounts/token-account.ts';
import type { Location } from '../building/built-transaction.ts';
import { decimalText, flag } from '../fields/fields.ts';
import type { Operation, OperationCaller, OperationResult } from '../operation.ts';
import { describeSimulationError } from './simulation-error.ts';

/** Maximum number of log lines and characters in a summary. Programs can write up to 10,000 bytes (Agave). */
const LOG_LINES_MAX = 100;
const LOG_CHARACTERS_MAX = 10_000;

/** Maximum number of accounts per read (Agave `MAX_MULTIPLE_ACCOUNTS`). */
const WATCHED_MAX = 100;

const balanceChange = z.object({
  address: z.string().meta({ description: 'The account whose balance changes.' }),
  asset: z.enum(['lamports', 'tokens']).meta({ description: 'What changes.' }),
  mint: z.string().optional().meta({ description: 'The mint of the tokens.' }),
  owner: z.string().optional().meta({ description: 'The owner of the tokens.' }),
  before: decimalText('Lamports or base units before, as a decimal string.'),
  after: decimalText('Lamports or base units afterwards, as a decimal string.'),
  change: decimalText('The difference; negative if the balance decreases.'),
});

/** The result of simulating a transaction, as MCP and REST show it. */
export const simulationSummary = z.object({
  status: z.enum(['succeeds', 'fails', 'unavailable']).meta({
    description: 'The result of sending it now; unavailable if the ledger could not simulate it.',
  }),
  error: z
    .object({
      name: z.string().meta({ description: "Solana's name of the error." }),
      message: z.string().meta({ description: 'The error in plain words.' }),
      instruction: z.int().min(0).optional().meta({ description: 'Index of the instruction that fails.' }),
      code: z.int().min(0).optional().meta({ description: "The program's own error code." }),
      program: z.string().optional().meta({ description: 'The program that fails.' }),
    })
    .optional()
    .meta({ description: 'Why it would fail, or why it could not be simulated.' }),
  computeUnits: z.int().min(0).optional().meta({ description: 'Compute units used.' }),
  balanceChanges: z
    .array(balanceChange)
    .meta({ description: 'Lamports and tokens that change; the network fee is not always included.' }),
  logs: z.array(z.string()).meta({ description: "The programs' log." }),
  logsTruncated: z.boolean().meta({ description: 'Whether the log was truncated.' }),
});

export type SimulationSummary = z.infer<typeof simulationSummary>;

interface SimulationRequest {
  readonly node: LedgerClient;
  readonly layout: Layout;
  readonly wire: Uint8Array;
  readonly watch: readonly Address[];
  readonly programs: readonly Address[];
  readonly token: string | undefined;
}

/** An account before and after a simulation; null if absent. */
export interface SimulatedAccount {
  readonly address: Address;
  readonly before: Account | null;
  readonly after: Account | null;
}

/** The result of a simulation. */
export interface SimulationOutcome {
  readonly summary: SimulationSummary;
  /** The watched accounts; empty unless the simulation succeeded. */
  readonly accounts: readonly SimulatedAccount[];
}

/**
 * Simulates a transaction and summarizes the effects. If the ledger cannot simulate, the summary says so and
 * the transaction remains valid.
 */
export async function runSimulation(simulation: SimulationRequest): Promise<SimulationOutcome> {
  const { node, wire, token } = simulation;
  const watch = [...new Set(simulation.watch)].slice(0, WATCHED_MAX);
  try {
    const before = await node.getAccounts(watch, token);
    const run = await node.simulateTransaction(wire, watch, token);
    const accounts = pairAccounts(watch, before, run.accounts);
    const { lines, truncated } = capLogs(run.logs);
    const summary: SimulationSummary = {
      status: run.err === null ? 'succeeds' : 'fails',
      ...(run.err === null
        ? {}
        : { error: describeSimulationError({ ...simulation, err: run.err, logs: run.logs }) }),
      ...(run.computeUnits === null ? {} : { computeUnits: run.computeUnits }),
      balanceChanges: accounts.flatMap(compareBalances),
      logs: lines,
      logsTruncated: truncated,
    };
    return { summary, accounts };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const summary: SimulationSummary = {
      status: 'unavailable',
      error: { name: error.code, message: error.message },
      balanceChanges: [],
      logs: [],
      logsTruncated: false,
    };
    return { summary, accounts: [] };
  }
}

function pairAccounts(
  watch: readonly Address[],
  before: readonly (Account | null)[],
  after: readonly (Account | null)[] | null,
): SimulatedAccount[] {
  if (after === null) return [];
  return watch.map((address, index) => ({
    address,
    before: before[index] ?? null,
    after: after[index] ?? null,
  }));
}

function capLogs(logs: readonly string[]): { lines: string[]; truncated: boolean } {
  const lines: string[] = [];
  let left = LOG_CHARACTERS_MAX;
  for (const line of logs.slice(0, LOG_LINES_MAX)) {
    if (line.length > left) break;
    left -= line.length;
    lines.push(line);
  }
  return { lines, truncated: lines.length < logs.length };
}

type Change = z.infer<typeof balanceChange>;

function compareBalances({ address, before: was, after: is }: SimulatedAccount): Change[] {
  const changes: Change[] = [];
  const lamports = [was?.lamports ?? 0n, is?.lamports ?? 0n] as const;
  if (lamports[0] !== lamports[1]) changes.push({ address, asset: 'lamports', ...difference(...lamports) });
  const [had, has] = [tokensOf(was), tokensOf(is)];
  const holding = has ?? had;
  if (holding !== null && had?.amount !== has?.amount) {
    const { mint, owner } = holding;
    const tokens = difference(had?.amount ?? 0n, has?.amount ?? 0n);
    if (tokens.change !== '0') changes.push({ address, asset: 'tokens', mint, owner, ...tokens });
  }
  return changes;
}

function difference(before: bigint, after: bigint): Pick<Change, 'before' | 'after' | 'change'> {
  return { before: before.toString(), after: after.toString(), change: (after - before).toString() };
}

/** Decodes a token account; null if it is not one. */
export function tokensOf(account: Account | null): TokenAccount | null {
  if (account === null || !isTokenProgram(account.owner)) return null;
  return decodeTokenAccount(account.data);
}

/** Describes the result of a simulation in one sentence. */
export function describeSimulation(summary: SimulationSummary): string {
  switch (summary.status) {
    case 'succeeds':
      return `Simulated on the current ledger, it succeeds${summary.computeUnits === undefined ? '' : ` with ${summary.computeUnits} compute units`}.`;
    case 'fails':
      return `Simulated on the current ledger, it FAILS: ${summary.error?.message}`;
    case 'unavailable':
      return `It could not be simulated on the ledger: ${summary.error?.message}`;
  }
}

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
 * Adds the option `simulate` to a build operation. The input and the output each get one more member. If the
 * result has a `setupTransaction`, the setup transaction is simulated, because it is sent first.
 *
 * @throws {TypeError} if one of the operation's schemas is not a zod object.
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
  // Operations that build for the rollup have checked that it exists.
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

/** Lists the accounts that a transaction can change, without those from lookup tables. */
function writableKeys(transaction: Transaction): Address[] {
  return transaction.staticKeys.filter(
    (key, index) => isStaticKeyWritable(transaction, index) && isReadable(key),
  );
}

/** Lists the program of each instruction of a sane transaction. */
export function programsOf(transaction: Transaction): Address[] {
  return transaction.instructions.map(
    ({ programIdIndex }) => transaction.staticKeys[programIdIndex] as Address,
  );
}
