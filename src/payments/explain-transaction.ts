import type { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Address } from '../solana/address.ts';
import type { Location } from './building/built-transaction.ts';
import { AddressBook } from './explain/address-book.ts';
import { explanation, type Explanation } from './explain/answer/explanation-schema.ts';
import { presentExplanation } from './explain/answer/present-explanation.ts';
import { explanationSentences } from './explain/answer/sentences.ts';
import { readSignatures, type SignerState } from './explain/call.ts';
import { caution, danger, type Finding } from './explain/finding.ts';
import { type Evidence, gatherEvidence, type Subject } from './explain/gather-evidence.ts';
import {
  clusterOf,
  deriveLedger,
  explainInput,
  type ExplainInput,
  ledgerFindings,
  parseRequest,
} from './explain/input.ts';
import { payeeFindings } from './explain/programs/common-findings.ts';
import { checkRequest, type RequestVerdict } from './explain/request/check-request.ts';
import { readTransactionText } from './fields/transaction-field.ts';
import type { Operation } from './operation.ts';

interface ExplainDeps {
  readonly clusters: Clusters;
  readonly operations: readonly Operation[];
  readonly sponsor: Address | null;
  /** Returns other wallets with accounts that transactions may use. Default: none. */
  readonly owners?: () => readonly Address[];
}

/**
 * Explains a transaction from its bytes, and compares it with the request. With a ledger it also reports the
 * result of a simulation.
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
      "Explains what a Solana transaction does before it is signed: every instruction in words, the tokens and lamports that leave and enter each owner, accounts created, existing signatures, unknown programs and dangerous instructions. Given the request it was built from, it also lists every difference. Nothing is signed, sent or stored. With the owner's bearer token it also checks the steps that follow on a private rollup.",
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
        owners: deps.owners?.() ?? [],
      };
      const evidence = await gatherEvidence(subject, input.offline === true);
      const output = present(evidence, input.sendTo);
      return { output, sentences: explanationSentences(output) };
    },
  };
}

function present(evidence: Evidence, sendTo: Location | undefined): Explanation {
  const { transaction, request, location, explained, report, simulation } = evidence;
  const signers = readSignatures(transaction);
  const verdict = request && checkRequest(request, evidence);
  const findings = [
    ...explained.findings.flatMap((finding) => inLightOfRequest(finding, verdict) ?? []),
    ...report.findings,
    ...signerFindings(signers),
    ...ledgerFindings(transaction, sendTo, location),
    ...(simulation?.findings ?? []),
    ...payeeFindings(request),
    ...requestFindings(verdict),
  ];
  return presentExplanation(evidence, { signers, findings, verdict });
}

function signerFindings(signers: readonly SignerState[]): Finding[] {
  return signers
    .filter(({ signature }) => signature === 'wrong')
    .map(({ address }) =>
      danger(
        'WRONG_SIGNATURE',
        `The signature of ${address} does not match this message: the transaction was changed after signing, was never signed by that key, or has a signature that the network rejects.`,
      ),
    );
}

/** Reports an unsatisfied request as a finding, because findings explain every verdict. */
function requestFindings(verdict: RequestVerdict | null): Finding[] {
  switch (verdict?.satisfied) {
    case 'no':
      return [danger('NOT_AS_REQUESTED', `It is not the requested ${verdict.operation}.`)];
    case 'unverifiable': {
      const message = `A part of the requested ${verdict.operation} cannot be checked.`;
      return [caution('REQUEST_UNVERIFIABLE', message)];
    }
    default:
      return [];
  }
}

/**
 * Adjusts a finding to the request; null if it only repeats the request. Requested effects are not a danger.
 * A named validator is still worth checking. A change to a lookup table is harmless only if the whole request
 * was compared, because freezing an incomplete table is final.
 */
export function inLightOfRequest(finding: Finding, verdict: RequestVerdict | null): Finding | null {
  if (verdict === null || verdict.satisfied === 'no') return finding;
  switch (finding.code) {
    case 'OTHER_VALIDATOR':
      return { ...finding, level: 'caution' };
    case 'TAKES_ALL':
      return null;
    case 'SETTLEMENT_REQUESTED':
      return verdict.operation === 'undelegate' ? null : finding;
    case 'DANGEROUS_INSTRUCTION':
      return { ...finding, level: levelOf(finding, verdict) };
    default:
      return finding;
  }
}

/** Checks whether the whole request was compared, regardless of the outcome on the ledger. */
const isWhole = ({ claims }: RequestVerdict): boolean =>
  claims.every(({ name, verdict }) => verdict === 'ok' || name === 'outcome');

function levelOf({ level }: Finding, verdict: RequestVerdict): Finding['level'] {
  switch (verdict.operation) {
    case 'createLookupTable':
      return isWhole(verdict) ? 'note' : level;
    case 'createStealthPool':
      return isWhole(verdict) ? 'note' : 'caution';
    default:
      return level;
  }
}
