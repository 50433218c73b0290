import { z } from 'zod';
import type { Chain, LedgerNode } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { cluster, flag } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { readTransactionText, transactionText } from '../transaction-field.ts';
import { programsOf } from '../trial.ts';
import { runTrial, type TrialSummary } from '../trial-summary.ts';
import { AddressBook } from './address-book.ts';
import { NO_CHAIN_FACTS, readChainFacts, type ChainFacts } from './chain-facts.ts';
import type { Location } from './effects.ts';
import { explainCalls, type ExplainedCalls } from './explain-calls.ts';
import { explanation, type Explanation } from './explanation-schema.ts';
import type { Finding } from './finding.ts';
import { deriveLedger, ledgerFindings } from './ledger-choice.ts';
import { presentExplanation } from './present-explanation.ts';
import {
  CHECKED_OPERATIONS,
  checkRequest,
  type CheckedOperation,
  type ParsedRequest,
} from './request/check-request.ts';
import { explanationSentences } from './sentences.ts';
import { readSignatures, type SignerState } from './signatures.ts';

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    transactionBase64: transactionText(
      'The transaction as base64: legacy or v0; unsigned, partly or fully signed.',
    ),
    cluster: cluster(clusterNames).optional(),
    sendTo: z.enum(['base', 'ephemeral'], { error: 'must be "base" or "ephemeral"' }).optional().meta({
      description:
        'The ledger it is for: the sendTo of the built transaction. Default: the rollup when it calls the Magic program or the request is for it, else the base ledger.',
    }),
    request: z
      .strictObject({
        operation: z
          .enum(CHECKED_OPERATIONS, { error: `must be one of: ${CHECKED_OPERATIONS.join(', ')}` })
          .meta({ description: 'The operation it should have been built by.' }),
        arguments: z
          .record(z.string(), z.unknown(), { error: 'must be an object: the arguments of the operation' })
          .meta({ description: 'The arguments that were given to the operation.' }),
        recentBlockhash: z
          .string({ error: 'must be a base58 text' })
          .max(44, { error: 'must be a base58 blockhash' })
          .optional()
          .meta({ description: 'The blockhash that the builder reported, to be compared as well.' }),
      })
      .optional()
      .meta({ description: 'What the transaction should do: it is compared with it in every detail.' }),
    offline: flag('Look at the bytes alone and ask no ledger. Default: false.').optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;

/** What explaining depends on. */
export interface ExplainDeps {
  readonly clusters: Clusters;
  /** The operations whose input schemas read the arguments of a request. */
  readonly operations: readonly Operation[];
  /** Who pays for gasless transfers here; null when nobody does. */
  readonly sponsor: Address | null;
}

/**
 * Says in words what a transaction does, from its bytes alone, and whether it is what was asked for; with a ledger at
 * hand also what trying it comes to.
 *
 * Errors: INVALID_TRANSACTION, TRANSACTION_TOO_LARGE, CLUSTER_NOT_ALLOWED, INVALID_ARGUMENTS for a request that its
 * operation cannot read or that is for another cluster than the one named.
 */
export function createExplainTransaction(deps: ExplainDeps): Operation<Input, Explanation> {
  const { clusters } = deps;
  return {
    name: 'explainTransaction',
    title: 'Explain a transaction',
    description:
      'Says what a Solana transaction does before anybody signs it: every instruction in words, the tokens and lamports that leave and enter each owner, accounts created, who has signed, unknown programs and dangerous instructions. Given the request it was built from, it also names every point in which it differs. Nothing is signed, sent or kept.',
    effect: 'read',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output: explanation,
    run: async (input, caller) => {
      const transaction = readTransactionText(input.transactionBase64);
      const request = parseRequest(input.request, deps.operations);
      const chain = clusters.resolve(clusterOf(input.cluster, request));
      const location = input.sendTo ?? deriveLedger(request, transaction);
      const token = location === 'base' ? undefined : caller.token;
      const offline = input.offline === true;
      const node = offline ? null : nodeOf(chain, location);
      const book = new AddressBook();
      const { facts, missing } = await tryChain(node, transaction, book, token);
      const clusterValidator = offline ? null : await validatorOf(chain);
      const explained = explainCalls(transaction, {
        ...(facts ?? NO_CHAIN_FACTS),
        layout: chain.layout,
        clusterValidator,
        book,
        location,
        ...addressesOf(request, chain),
      });
      const signers = readSignatures(transaction);
      const verdict =
        request === null
          ? null
          : checkRequest(request, {
              chain,
              transaction,
              location,
              explained,
              facts: facts ?? NO_CHAIN_FACTS,
              clusterValidator,
              sponsor: deps.sponsor,
            });
      const simulation =
        node === null || facts === null
          ? null
          : await simulate(node, chain, { transaction, explained, token });
      const findings = [
        // A request is compared with the validator it names, or the cluster's: that is told once.
        ...explained.findings.filter(({ code }) => request === null || code !== 'OTHER_VALIDATOR'),
        ...signerFindings(signers),
        ...ledgerFindings(transaction, input.sendTo, location),
        ...(node === null && !offline ? [unread('no rollup is configured')] : missing),
        ...trialFindings(simulation),
      ];
      const output = presentExplanation({
        transaction,
        cluster: chain.cluster,
        location,
        signers,
        explained,
        findings,
        book,
        facts,
        request: verdict,
        simulation,
      });
      return { output, sentences: explanationSentences(output) };
    },
  };
}

function parseRequest(request: Input['request'], operations: readonly Operation[]): ParsedRequest | null {
  if (request === undefined) return null;
  const operation = operations.find(({ name }) => name === request.operation);
  if (operation === undefined) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `request.operation ${request.operation} is not offered by this service`,
      {
        field: 'request.operation',
      },
    );
  }
  const parsed = operation.input.safeParse(request.arguments);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
    );
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `request.arguments are not those of ${request.operation}: ${faults.join('; ')}`,
      {
        field: 'request.arguments',
      },
    );
  }
  return {
    operation: request.operation as CheckedOperation,
    arguments: parsed.data,
    recentBlockhash: request.recentBlockhash,
  };
}

/** The one cluster that is named: a request for another cluster cannot be compared on this one. */
function clusterOf(named: string | undefined, request: ParsedRequest | null): string | undefined {
  const asked = (request?.arguments as { cluster?: string } | undefined)?.cluster;
  if (named === undefined || asked === undefined) return named ?? asked;
  if (clusterKey(named) === clusterKey(asked)) return named;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `cluster is ${named.trim()}, but request.arguments.cluster is ${asked.trim()}: name one cluster, the one the transaction was built for`,
    { field: 'cluster' },
  );
}

/** Names are the same in any case, URLs are not. */
function clusterKey(name: string): string {
  const trimmed = name.trim();
  return trimmed.includes(':') ? trimmed : trimmed.toLowerCase();
}

const nodeOf = (chain: Chain, location: Location): LedgerNode | null =>
  location === 'base' ? chain : chain.rollup;

/** Reads what the chain can tell. Without it the bytes are explained all the same. */
async function tryChain(
  node: LedgerNode | null,
  transaction: Transaction,
  book: AddressBook,
  token: string | undefined,
): Promise<{ facts: ChainFacts | null; missing: Finding[] }> {
  if (node === null) return { facts: null, missing: [] };
  try {
    return { facts: await readChainFacts(node, transaction, book, token), missing: [] };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { facts: null, missing: [unread(error.code)] };
  }
}

const unread = (why: string): Finding => ({
  level: 'caution',
  code: 'LEDGER_UNREAD',
  message: `The ledger could not be asked (${why}): what follows is from the bytes alone.`,
});

/** Wallets and mints that a request names: their accounts may be in the transaction under derived addresses. */
function addressesOf(request: ParsedRequest | null, chain: Chain): { owners: Address[]; mints: Address[] } {
  if (request === null) return { owners: [], mints: [] };
  const { owner, from, to, payer, mint } = request.arguments as Record<string, unknown>;
  const named = [owner, from, to, payer].filter((value) => typeof value === 'string').filter(isAddress);
  return { owners: named, mints: [(mint as Address | undefined) ?? chain.defaultMint] };
}

async function validatorOf(chain: Chain): Promise<Address | null> {
  try {
    return await chain.validatorIdentity();
  } catch (error) {
    if (isServiceError(error)) return null;
    throw error;
  }
}

function simulate(
  node: LedgerNode,
  chain: Chain,
  tried: { transaction: Transaction; explained: ExplainedCalls; token: string | undefined },
): Promise<TrialSummary> {
  const { transaction, explained, token } = tried;
  const watch = explained.accounts.flatMap(({ address, writable }) =>
    writable && address !== null ? [address] : [],
  );
  return runTrial({
    node,
    layout: chain.layout,
    wire: transaction.wire,
    watch,
    programs: programsOf(transaction),
    token,
  });
}

function trialFindings(simulation: TrialSummary | null): Finding[] {
  if (simulation?.status !== 'fails') return [];
  const message = `Sent now it would fail: ${simulation.error?.message}`;
  return [{ level: 'caution', code: 'TRIAL_FAILS', message }];
}

function signerFindings(signers: readonly SignerState[]): Finding[] {
  return signers
    .filter(({ signature }) => signature === 'wrong')
    .map(({ address }) => ({
      level: 'danger',
      code: 'WRONG_SIGNATURE',
      message: `The signature of ${address} does not belong to this message: the transaction was changed after it was signed, never signed by that key, or signed in a way that proves nothing.`,
    }));
}
