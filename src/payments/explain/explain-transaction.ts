import type { z } from 'zod';
import type { Chain, LedgerNode } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Operation } from '../operation.ts';
import { readTransactionText } from '../transaction-field.ts';
import { programsOf } from '../trial.ts';
import { runTrial, type TrialSummary } from '../trial-summary.ts';
import { AddressBook } from './address-book.ts';
import { NO_CHAIN_FACTS, readChainFacts, type ChainFacts } from './chain-facts.ts';
import type { Location } from './effects.ts';
import { explainCalls, type ExplainedCalls } from './explain-calls.ts';
import { explainInput, type ExplainInput } from './explain-input.ts';
import { explanation, type Explanation } from './explanation-schema.ts';
import type { Finding } from './finding.ts';
import { deriveLedger, ledgerFindings } from './ledger-choice.ts';
import { presentExplanation } from './present-explanation.ts';
import { checkRequest, type ParsedRequest } from './request/check-request.ts';
import { clusterOf, parseRequest } from './request/parse-request.ts';
import { explanationSentences } from './sentences.ts';
import { readSignatures, type SignerState } from './signatures.ts';

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
export function createExplainTransaction(deps: ExplainDeps): Operation<ExplainInput, Explanation> {
  const { clusters } = deps;
  return {
    name: 'explainTransaction',
    title: 'Explain a transaction',
    description:
      'Says what a Solana transaction does before anybody signs it: every instruction in words, the tokens and lamports that leave and enter each owner, accounts created, who has signed, unknown programs and dangerous instructions. Given the request it was built from, it also names every point in which it differs. Nothing is signed, sent or kept.',
    effect: 'read',
    input: explainInput(clusters.names) as z.ZodType<ExplainInput>,
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
        ...explained.findings,
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
