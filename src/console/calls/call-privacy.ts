import type { CallFacts } from '../answers.ts';

/** A call as it is reported to the call log. */
export interface ReportedCall extends CallFacts {
  /** Whether the console's own page made the call. */
  readonly isOwn: boolean;
  /** Whether the call had a bearer token. */
  readonly hasToken: boolean;
  readonly arguments: unknown;
}

/** Operations whose transactions are public on base and are no step of a private payment. */
const OF_BASE: ReadonlySet<string> = new Set([
  'spl.deposit',
  'spl.withdraw',
  'spl.initializeMint',
  'spl.createLookupTable',
]);

/** Methods that write to base: transactions and the faucet. */
const BASE_METHODS: ReadonlySet<string> = new Set([
  'sendTransaction',
  'requestAirdrop',
  'requestTokenAirdrop',
]);

/** Methods that send a transaction to the rollup. */
const TRANSACTION_METHODS: ReadonlySet<string> = new Set(['sendTransaction', 'simulateTransaction']);

/**
 * Whether everyone on this machine may see a call, because the list is read without a token. Private payments
 * and reads must not show in it, not even by their times or sizes.
 *
 * A private payer also reads base before and after, and an assistant connects first. So successful calls are
 * listed only if they write to base. A refusal shows the time of a private action just like a success, so
 * refused operations are listed only if the operation writes to base, and refusals of the rollup never. The
 * same rule applies to MCP once the tool is known. Calls of the console's own page are never listed, because
 * it reads base after each private payment. Calls with a token and transactions for the rollup are never
 * listed either.
 */
export function isTold(call: ReportedCall): boolean {
  return mayBeTold(call) && !call.isOwn && !call.hasToken && !isForRollup(call);
}

/** A call without its caller. */
export type CallKind = Pick<ReportedCall, 'door' | 'call' | 'code' | 'arguments'>;

/** The part of {@link isTold} that depends only on the call. False for most calls, which read a ledger. */
export function mayBeTold(call: CallKind): boolean {
  return isPutOnBase(call) || (call.code !== null && isOfNoOperation(call));
}

/** A call of base, or of REST for something the service does not have. */
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

/** A public transfer from base to base. An omitted visibility means private. */
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
