import type { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Address } from '../solana/address.ts';
import type { Operation } from './operation.ts';
import { readTransactionText } from './fields/transaction-field.ts';
import { AddressBook } from './explain/address-book.ts';
import type { Location } from './explain/effects.ts';
import { explainInput, type ExplainInput } from './explain/explain-input.ts';
import { explanation, type Explanation } from './explain/answer/explanation-schema.ts';
import type { Finding } from './explain/finding.ts';
import { gatherEvidence, type Evidence, type Subject } from './explain/gather-evidence.ts';
import { deriveLedger, ledgerFindings } from './explain/ledger-choice.ts';
import { presentExplanation } from './explain/answer/present-explanation.ts';
import { asAsked } from './explain/request/as-asked.ts';
import { checkRequest, type RequestVerdict } from './explain/request/check-request.ts';
import { paidHandleFindings } from './explain/request/paid-handle.ts';
import { paidPayeeFindings } from './explain/request/paid-payee.ts';
import { clusterOf, parseRequest } from './explain/request/parse-request.ts';
import { repeatFindings } from './explain/findings/repeated-accounts.ts';
import { explanationSentences } from './explain/answer/sentences.ts';
import { readSignatures, type SignerState } from './explain/signatures.ts';
import { blockhashFindings } from './explain/state/blockhash.ts';
import { holderFindings, unnamedFindings, unusableFindings } from './explain/state/holders.ts';
import { impossibleMintFindings } from './explain/state/mints.ts';
import { readerFindings } from './explain/state/readers.ts';
import { shuttleFindings } from './explain/state/shuttles.ts';
import { vaultFindings } from './explain/state/vaults.ts';

/** Dependencies of explaining. */
interface ExplainDeps {
  readonly clusters: Clusters;
  /** The operations whose input schemas parse the arguments of a request. */
  readonly operations: readonly Operation[];
  /** The sponsor of gasless transfers; null if there is none. */
  readonly sponsor: Address | null;
}

/**
 * Explains from its bytes what a transaction does, and whether it matches the request; with a ledger also
 * what a simulation shows.
 *
 * Errors: INVALID_TRANSACTION, TRANSACTION_TOO_LARGE, CLUSTER_NOT_ALLOWED; INVALID_ARGUMENTS for a request
 * that its operation cannot parse or that names another cluster.
 */
export function createExplainTransaction(deps: ExplainDeps): Operation<ExplainInput, Explanation> {
  const { clusters } = deps;
  return {
    name: 'explainTransaction',
    title: 'Explain a transaction',
    description:
      "Says what a Solana transaction does before anybody signs it: every instruction in words, the tokens and lamports that leave and enter each owner, accounts created, who has signed, unknown programs and dangerous instructions. Given the request it was built from, it also names every point in which it differs. Nothing is signed, sent or kept. With the owner's bearer token it also checks the steps that follow on a private rollup.",
    effect: 'read',
    input: explainInput(clusters.names) as z.ZodType<ExplainInput>,
    output: explanation,
    run: async (input, caller) => {
      const transaction = readTransactionText(input.transactionBase64);
      const request = parseRequest(input.request, deps.operations);
      const chain = clusters.resolve(clusterOf(input.cluster, request));
      const location = input.sendTo ?? deriveLedger(request, transaction);
      const subject: Subject = {
        transaction,
        request,
        chain,
        location,
        book: new AddressBook(),
        token: location === 'base' ? undefined : caller.token,
        rollupToken: caller.token,
        wallet: input.wallet ?? null,
        sponsor: deps.sponsor,
      };
      const evidence = await gatherEvidence(subject, input.offline === true);
      const output = present(subject, evidence, input.sendTo);
      return { output, sentences: explanationSentences(output) };
    },
  };
}

function present(subject: Subject, evidence: Evidence, sendTo: Location | undefined): Explanation {
  const { transaction, request, chain, location, book, wallet } = subject;
  const { facts, explained, blockhash, simulation } = evidence;
  const signers = readSignatures(transaction);
  const verdict =
    request === null
      ? null
      : checkRequest(request, {
          ...subject,
          ...evidence,
          unseen: evidence.holders,
          simulated: simulation?.summary ?? null,
        });
  const findings = [
    ...explained.findings.flatMap((finding) => asAsked(finding, verdict) ?? []),
    ...evidence.findings,
    ...repeatFindings(explained.accounts),
    ...impossibleMintFindings(facts, chain),
    ...vaultFindings(explained),
    ...shuttleFindings(explained),
    ...holderFindings(book),
    ...unusableFindings(explained, facts, book),
    ...readerFindings(explained, facts),
    ...evidence.holders.findings,
    ...(facts === null ? [] : unnamedFindings(explained)),
    ...blockhashFindings(blockhash, location),
    ...signerFindings(signers),
    ...ledgerFindings(transaction, sendTo, location),
    ...(simulation?.findings ?? []),
    ...paidHandleFindings(request),
    ...paidPayeeFindings(request),
    ...requestFindings(verdict),
  ];
  return presentExplanation({
    transaction,
    cluster: chain.cluster,
    location,
    signers,
    explained,
    findings,
    book,
    facts,
    wallet,
    request: verdict,
    simulation: simulation?.summary ?? null,
  });
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

/** The reason for a verdict that is not clear is always among the findings. */
function requestFindings(verdict: RequestVerdict | null): Finding[] {
  switch (verdict?.satisfied) {
    case 'no':
      return [
        {
          level: 'danger',
          code: 'NOT_AS_REQUESTED',
          message: `It is not the ${verdict.operation} that was asked for.`,
        },
      ];
    case 'unverifiable':
      return [
        {
          level: 'caution',
          code: 'REQUEST_UNVERIFIABLE',
          message: `A part of the ${verdict.operation} that was asked for cannot be checked.`,
        },
      ];
    default:
      return [];
  }
}
