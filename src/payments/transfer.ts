import type { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import type { Address } from '../solana/address.ts';
import {
  buildTransaction,
  type BuiltTransaction,
  endpointWarnings,
  presentBuilt,
  signingAdvice,
} from './building/built-transaction.ts';
import { type MintUse, notesOfMint, warnOfMint } from './building/warnings.ts';
import { requireLayoutB, requireRollup } from './cluster-support.ts';
import type { Sponsor } from './fees/sponsor.ts';
import { readMint, requireHoldable } from './mints/mint-facts.ts';
import { readMintTerms, requireMovable, requireWhole } from './mints/mint-terms.ts';
import type { Operation, OperationCaller, OperationResult } from './operation.ts';
import { warnOfHandle } from './stealth/handle.ts';
import { requireCreated } from './transfer/base-accounts.ts';
import { draftBaseToEphemeral, draftPrivateBase, draftPublicBase } from './transfer/draft-from-base.ts';
import { draftEphemeral, draftEphemeralToBase } from './transfer/draft-on-rollup.ts';
import { PRIVATE_BASE_LAMPORTS, requireWholeFee } from './transfer/fees.ts';
import {
  noteOfTransfer,
  transferInput,
  type TransferInput,
  transferOutput,
  type TransferOutput,
} from './transfer/input.ts';
import {
  beginTask,
  checkTransferRequest,
  sizeAdviceOf,
  type TransferDraft,
  type TransferRequest,
  type TransferTask,
} from './transfer/request.ts';
import {
  rejectFailingGasless,
  warnOfIdleOptions,
  warnOfKeylessPayee,
  warnOfZeroPlatformFee,
} from './transfer/warnings.ts';

/** Dependencies of the operation. Gasless transfers are rejected without a sponsor. */
interface TransferDeps {
  readonly clusters: Clusters;
  readonly random: Random;
  readonly sponsor?: Sponsor | undefined;
}

/**
 * Builds the unsigned transaction for a transfer. Its route depends on visibility, fromBalance and toBalance.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, VALIDATOR_UNRESOLVED, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE,
 * SPONSOR_UNAVAILABLE, and the errors of {@link checkTransferRequest}, the route's draft,
 * {@link requireCreated} and {@link rejectFailingGasless}.
 */
export function createTransfer(deps: TransferDeps): Operation<TransferInput, TransferOutput> {
  const { clusters, random, sponsor } = deps;
  return {
    name: 'transfer',
    title: 'Build a transfer',
    description:
      'Builds an unsigned transaction that pays SPL tokens from one owner to another: on the base ledger, on the rollup, or between them, publicly or privately. Default: privately from base to base, where only the validator learns who is paid. Returns the transaction as base64, not signed by the sender and not sent. Sign it as every address in requiredSigners and send it to the ledger in sendTo.',
    effect: 'build',
    input: transferInput(clusters.names) as z.ZodType<TransferInput>,
    output: transferOutput,
    clusterNotes: notesOfLayout,
    run: async (input, caller) => {
      const chain = clusters.resolve(input.cluster);
      const request = checkTransferRequest(input, chain, sponsor);
      requireRoute(request, chain, clusters);
      if (request.way.fromBalance === 'base') chain.expectBlockhash?.();
      const [facts, validator] = await Promise.all([
        readMint(chain, request.mint),
        resolveValidator(input, request, chain),
      ]);
      const terms = await readMintTerms(chain, facts);
      requireMovable(facts, terms);
      // Vault, shuttle and queue must receive exactly the credited amount. Mints with a transfer fee work
      // only in a plain transfer on base.
      if (request.route !== 'publicBase') requireWhole(facts, terms);
      if (request.sponsor !== null) requireWholeFee(facts, terms);
      if (request.creates.vault) requireHoldable(facts, chain.layout);
      const task = beginTask({ chain, random }, request, facts, terms);
      await requireCreated(input, task);
      const drafted = await draftTransfer(task, validator, caller.token);
      const ofMint = warnOfMint(facts, terms, mintUseOf(request));
      const draft = { ...drafted, warnings: [...drafted.warnings, ...ofMint] };
      rejectFailingGasless(request, draft.warnings);
      const built = await build(task, draft, caller);
      return present(input, { task, draft, built, validator });
    },
  };
}

function notesOfLayout({ cluster, layout, rollup }: Chain): string[] {
  if (layout === 'b') return [];
  const onRollup =
    rollup === null
      ? ''
      : ', or fromBalance and toBalance ephemeral to pay on the rollup, where it is private';
  return [
    `On cluster ${cluster} the default route does not exist: pass visibility public to pay from base to base${onRollup}.`,
  ];
}

/** Routes that need shuttles and queues, with the alternative steps on layout A. */
const LAYOUT_B_ROUTES = {
  privateBase: {
    what: 'A private transfer from base to base',
    instead:
      'pay publicly (visibility "public"), or deposit (spl.deposit), pay on the rollup (fromBalance and toBalance "ephemeral") and have the recipient undelegate and withdraw',
  },
  baseToEphemeral: {
    what: 'A transfer from base to the rollup',
    instead: 'deposit (spl.deposit) and pay on the rollup (fromBalance and toBalance "ephemeral")',
  },
  ephemeralToBase: {
    what: 'A transfer from the rollup to base',
    instead:
      'pay on the rollup (toBalance "ephemeral") and have the recipient undelegate and withdraw, or undelegate and withdraw (spl.undelegate, spl.withdraw) and pay on base',
  },
} as const;

/** Alternative to all other routes on a cluster without a rollup. */
const PUBLIC_INSTEAD =
  'pay publicly from base to base (visibility "public", fromBalance and toBalance "base")';

function requireRoute({ route }: TransferRequest, chain: Chain, clusters: Clusters): void {
  if (route === 'publicBase') return;
  if (route !== 'ephemeral') {
    const { what, instead } = LAYOUT_B_ROUTES[route];
    requireLayoutB(what, chain, clusters, chain.rollup === null ? PUBLIC_INSTEAD : instead);
  }
  if (route === 'ephemeral' || route === 'ephemeralToBase') {
    requireRollup('A transfer on the rollup', chain, clusters);
  }
}

/** Resolves the validator; null only for a public layout B transfer that names no validator. */
async function resolveValidator(
  input: TransferInput,
  request: TransferRequest,
  chain: Chain,
): Promise<Address | null> {
  if (input.validator !== undefined) return input.validator;
  const { visibility, fromBalance } = request.way;
  // A public transfer on a rollup of layout B works without a validator, even if none can be determined.
  const needed =
    visibility === 'private' || fromBalance === 'base' || request.creates.vault || chain.layout === 'a';
  return needed ? chain.validatorIdentity() : null;
}

function draftTransfer(
  task: TransferTask,
  validator: Address | null,
  token: string | undefined,
): Promise<TransferDraft> {
  const { route } = task.request;
  if (route === 'ephemeral') return draftEphemeral(task, validator, token);
  if (route === 'publicBase') return draftPublicBase(task);
  // Every other route is private, so the validator was resolved.
  const named = validator as Address;
  if (route === 'privateBase') return draftPrivateBase(task, named);
  if (route === 'baseToEphemeral') return draftBaseToEphemeral(task, named);
  return draftEphemeralToBase(task, named, token);
}

function build(task: TransferTask, draft: TransferDraft, caller: OperationCaller): Promise<BuiltTransaction> {
  const { chain, request, payer } = task;
  return buildTransaction(chain, payer, draft.instructions, {
    // The ledger with the sender's tokens runs the transaction.
    sendTo: request.way.fromBalance,
    token: caller.token,
    lookupTable: draft.lookupTable,
    sponsored: request.sponsor && {
      sponsor: request.sponsor,
      lamports: draft.payerLamports,
      client: caller.client,
    },
    mayBeV1: request.mayBeV1,
    sizeAdvice: sizeAdviceOf(request, chain),
  });
}

function present(
  input: TransferInput,
  done: {
    readonly task: TransferTask;
    readonly draft: TransferDraft;
    readonly built: BuiltTransaction;
    readonly validator: Address | null;
  },
): OperationResult<TransferOutput> {
  const { task, draft, built, validator } = done;
  const { route, way, from, sums, platformFee } = task.request;
  const warnings = [
    ...draft.warnings,
    ...(task.request.toStealthPool ? warnOfHandle(input.to) : []),
    ...warnOfKeylessPayee(input.to),
    ...warnOfZeroPlatformFee(input, platformFee),
    ...warnOfIdleOptions(input, route),
    ...endpointWarnings(built),
  ];
  const does = noteOfTransfer(task, input.to);
  const notes = [...draft.notes, ...notesOfMint(task.facts, task.terms)];
  const fees = {
    lamports: (route === 'privateBase' ? PRIVATE_BASE_LAMPORTS : 0n).toString(),
    tokens: (sums.routeFee + sums.platformFee + sums.relayFee).toString(),
  };
  return presentBuilt(
    'Built an unsigned SPL transfer transaction.',
    {
      kind: 'transfer',
      ...built,
      ...(validator === null ? {} : { validator }),
      from: way.fromBalance,
      fees,
    },
    { does, next: signingAdvice(from, built), notes, warnings },
  );
}

/** Describes the use of the mint. Shuttles and queues create their own token accounts. */
const mintUseOf = ({ route, sums, creates }: TransferRequest): MintUse => ({
  amount: sums.moved,
  creates: (route !== 'publicBase' && route !== 'ephemeral') || creates.sourceAta || creates.recipientAta,
});
