import type { CallFacts } from '../answers.ts';

/** A call as it is reported to the list. */
export interface ReportedCall extends CallFacts {
  /** Whether the console's own page called. */
  readonly isOwn: boolean;
  /** Whether a bearer token came with it. */
  readonly hasToken: boolean;
  readonly arguments: unknown;
}

/** Operations whose transactions everybody sees on base, none of which is a step of a private payment. */
const OF_BASE: ReadonlySet<string> = new Set([
  'spl.deposit',
  'spl.withdraw',
  'spl.initializeMint',
  'spl.createLookupTable',
]);

/** Methods that put something on base, in front of everybody: transactions, and what its faucet gives. */
const BASE_METHODS: ReadonlySet<string> = new Set([
  'sendTransaction',
  'requestAirdrop',
  'requestTokenAirdrop',
]);

/** Methods that hand a transaction to the rollup, whether it takes it or not. */
const TRANSACTION_METHODS: ReadonlySet<string> = new Set(['sendTransaction', 'simulateTransaction']);

/**
 * Whether everybody on this machine may know of a call: the list is read without a token. A private payment
 * must not show in it, neither by its times nor by its sizes, and nor must a private read.
 *
 * Whoever pays privately reads base as well, before and after, and an assistant connects first: so of what
 * succeeds only that is told which puts something on base. A refusal tells as much as a success of when
 * somebody wanted to pay or to read in private: of operations it is told where the operation puts something
 * on base, and of the rollup never. Of MCP it is told by the same rule, once the tool is known: before that
 * it may be that of any tool. Of the console's own page nothing is told: it reads base again with each
 * private payment that it hears of. Nor is anything of a call with a token, and of a transaction for the
 * rollup.
 */
export function isTold(call: ReportedCall): boolean {
  return mayBeTold(call) && !call.isOwn && !call.hasToken && !isForRollup(call);
}

/** What a call was, without who made it. */
export type CallKind = Pick<ReportedCall, 'door' | 'call' | 'code' | 'arguments'>;

/** The same as far as it follows from what a call was; false for most, which are reads of a ledger. */
export function mayBeTold(call: CallKind): boolean {
  return isPutOnBase(call) || (call.code !== null && isOfNoOperation(call));
}

/** A call of base, and one of REST for what the service does not have. */
const isOfNoOperation = ({ door, call }: CallKind): boolean =>
  door === 'base' || (door === 'rest' && !/^(?:spl|localnet)\./.test(call));

function isForRollup({ door, call, arguments: args }: ReportedCall): boolean {
  if (door === 'rollup') return TRANSACTION_METHODS.has(call);
  return call === 'spl.sendTransaction' && membersOf(args)['sendTo'] !== 'base';
}

function isPutOnBase({ door, call, arguments: args }: CallKind): boolean {
  if (door === 'rollup') return false;
  if (door === 'base') return BASE_METHODS.has(call);
  if (call === 'spl.sendTransaction') return membersOf(args)['sendTo'] === 'base';
  return OF_BASE.has(call) || (call === 'spl.transfer' && isPublicTransfer(membersOf(args)));
}

/** From base to base, for everybody to see. What is left out is private. */
function isPublicTransfer({
  visibility,
  fromBalance,
  toBalance,
}: Readonly<Record<string, unknown>>): boolean {
  const isOnBase = [fromBalance, toBalance].every((ledger) => ledger === undefined || ledger === 'base');
  return visibility === 'public' && isOnBase;
}

function membersOf(args: unknown): Readonly<Record<string, unknown>> {
  return Object(args) as Readonly<Record<string, unknown>>;
}
